package io.holdfast.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The arguments as bytes. The JVM puts U+FFFD for what is not UTF-8 among them: two names of locks
 * would become one, and the user's command would be given the name of another file.
 */
final class RawArguments {

  /** What the kernel keeps of this process's arguments. */
  static final Path OF_THIS_PROCESS = Path.of("/proc/self/cmdline");

  private RawArguments() {}

  /** Returns whether the arguments are not what was given. */
  static boolean areSpoiled(String[] arguments, Path raw) {
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
      // Where nobody keeps them: somebody's U+FFFD is not as likely as a byte that is not UTF-8.
      return false;
    }
  }
}
