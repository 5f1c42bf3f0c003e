package io.holdfast.cli.environment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The arguments as bytes. The JVM replaces bytes that are not UTF-8 by U+FFFD. Two lock names would
 * become one name, and the user's command would get another file name.
 */
public final class RawArguments {

  /** The file in which the kernel shows this process's arguments. */
  public static final Path OF_THIS_PROCESS = Path.of("/proc/self/cmdline");

  private RawArguments() {}

  /** Returns whether the JVM has changed the arguments. */
  public static boolean areSpoiled(String[] arguments, Path raw) {
    return hasReplacement(arguments) && !isUtf8(raw);
  }

  private static boolean hasReplacement(String[] arguments) {
    for (String argument : arguments) {
      if (argument.indexOf('\uFFFD') >= 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean isUtf8(Path raw) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(Files.readAllBytes(raw)));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    } catch (IOException e) {
      // Without the raw bytes: an argument that is not UTF-8 is more likely than a real U+FFFD.
      return false;
    }
  }
}
