package io.holdfast.cli.environment;

import io.holdfast.Grant;
import io.holdfast.Sequencer;
import java.util.Map;

/** The variables in a command's environment about the grant under which it runs. */
public final class GrantVariables {

  private GrantVariables() {}

  public static void put(Grant grant, Map<String, String> environment) {
    LauncherVariables.restore(environment);
    Sequencer sequencer = grant.sequencer();
    environment.put("HOLDFAST_LOCK", sequencer.name().value());
    environment.put("HOLDFAST_TOKEN", sequencer.token().toString());
    environment.put("HOLDFAST_SEQUENCER", sequencer.toString());
  }
}
