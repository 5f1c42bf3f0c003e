package io.holdfast.cli;

import io.holdfast.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Who the tool says it is. */
final class Identity {

  private Identity() {}

  /** Returns {@code user@host:pid}, so that whoever reads a lock's record knows whom to ask. */
  static ProcessIdentity ofThisProcess() {
    String text =
        "%s@%s:%d"
            .formatted(System.getProperty("user.name"), host(), ProcessHandle.current().pid());
    return new ProcessIdentity(text);
  }

  /** Reads the kernel's own answer: asking the resolver can take seconds where DNS is broken. */
  private static String host() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "localhost";
    }
  }
}
