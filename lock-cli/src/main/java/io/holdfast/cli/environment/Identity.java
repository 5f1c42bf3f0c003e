package io.holdfast.cli.environment;

import io.holdfast.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The identity that the command gives itself in lock records. */
final class Identity {

  private Identity() {}

  /** Returns {@code user@host:pid}, so that a reader of a lock's record knows which user to ask. */
  static ProcessIdentity ofThisProcess() {
    return new ProcessIdentity(
        System.getProperty("user.name") + '@' + host() + ':' + ProcessHandle.current().pid());
  }

  /**
   * Reads the host's name from the kernel, because the resolver can take seconds if DNS is broken.
   */
  private static String host() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "localhost";
    }
  }
}
