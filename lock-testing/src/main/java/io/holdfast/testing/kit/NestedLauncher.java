package io.holdfast.testing.kit;

import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs tests within a test. The build's own listeners and filters know nothing of them. */
public final class NestedLauncher {

  private NestedLauncher() {}

  public static Launcher make() {
    return LauncherFactory.create(
        LauncherConfig.builder()
            .enableLauncherSessionListenerAutoRegistration(false)
            .enableTestExecutionListenerAutoRegistration(false)
            .enablePostDiscoveryFilterAutoRegistration(false)
            .build());
  }
}
