package io.holdfast;

import io.holdfast.error.BadRequestException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The name that a process gives itself, for people who read lock records. The store does not
 * identify a process by it: ownership depends on session and request alone, so two processes with
 * the same identity remain two owners.
 *
 * @param value 1 to 256 bytes of well-formed text without control characters
 */
public record ProcessIdentity(String value) {

  private static final int BYTES_MAX = 256;

  private static final Path KERNEL_HOSTNAME = Path.of("/proc/sys/kernel/hostname");

  /**
   * Checks the text.
   *
   * @throws BadRequestException if it is empty, too long, ill-formed or has a control character
   */
  public ProcessIdentity {
    int bytes = LockName.utf8("A process identity", value).length;
    if (bytes == 0 || bytes > BYTES_MAX || LockName.hasControl(value)) {
      throw new BadRequestException(
          "A process identity has 1 to %s bytes and no control characters.".formatted(BYTES_MAX));
    }
  }

  /** Returns {@code host:pid} of this process. */
  public static ProcessIdentity ofThisProcess() {
    return new ProcessIdentity(host() + ":" + ProcessHandle.current().pid());
  }

  /**
   * Asks the name service only if the kernel does not give the name, because the service may be
   * slow.
   */
  private static String host() {
    try {
      return Files.readString(KERNEL_HOSTNAME).strip();
    } catch (IOException notLinux) {
      try {
        return InetAddress.getLocalHost().getHostName();
      } catch (UnknownHostException e) {
        return "localhost";
      }
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
