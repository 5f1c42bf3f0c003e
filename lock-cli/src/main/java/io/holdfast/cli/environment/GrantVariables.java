package io.holdfast.cli.environment;

import io.holdfast.Grant;
import java.util.Map;

/** What a command finds in its environment about the grant under which it runs. */
public final class GrantVariables {

  private GrantVariables() {}

  public static void put(Grant grant, Map<String, String> environment) {
    LauncherLocale.restore(environment);
    environment.put("HOLDFAST_LOCK", grant.name().value());
    environment.put("HOLDFAST_TOKEN", grant.token().toString());
    environment.put("HOLDFAST_SEQUENCER", grant.sequencer().toString());
  }
}
