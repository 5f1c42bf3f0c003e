package io.holdfast.cli.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads the shell scripts in this package, which are passed to {@code bash -c}. */
final class Script {

  private Script() {}

  /**
   * Returns the words that run a script which becomes the user's command; its arguments follow.
   *
   * <p>In POSIX mode bash reads no start-up file, and it hands on the environment as it is. With -p
   * that is so for exported functions too, which would else take the place of builtins such as
   * echo.
   */
  static List<String> shell(String name) {
    return List.of("bash", "--posix", "-p", "-c", named(name), "holdfast");
  }

  static String named(String name) {
    try (InputStream in = Script.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("Not in the jar: " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
