package io.holdfast.cli.elect;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.Grant;
import io.holdfast.cli.output.Messages;
import io.holdfast.error.BadRequestException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * A file that is there while the command of a leader runs, for health checks. It has the sequencer
 * of the leader's grant in it. A file that cannot be written is told when this process begins,
 * since it may be elected days later; from then on it is no reason to give the lead up.
 *
 * @param file empty for none
 */
record ReadyFile(Optional<Path> file, Messages messages) {

  /**
   * Removes what an earlier process has left that was killed, and tries whether the file can be
   * written.
   *
   * @throws BadRequestException if it cannot
   */
  void prepare() {
    if (file.isEmpty()) {
      return;
    }
    Path whole = file.get();
    if (Files.isDirectory(whole)) {
      throw new BadRequestException(
          "--ready-file needs the path of a file, and \"%s\" is a directory".formatted(whole));
    }
    try {
      Files.deleteIfExists(whole);
      Files.writeString(part(whole), "", UTF_8);
      Files.delete(part(whole));
    } catch (IOException e) {
      throw new BadRequestException(
          "--ready-file \"%s\" cannot be written: %s".formatted(whole, reason(e)), e);
    }
  }

  void create(Grant grant) {
    if (file.isEmpty()) {
      return;
    }
    Path whole = file.get();
    try {
      Files.writeString(part(whole), grant.sequencer() + "\n", UTF_8);
      // A check that reads it sees all of it.
      Files.move(part(whole), whole, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      messages.error(
          "the ready file \"%s\" cannot be written (%s): the command runs without it"
              .formatted(whole, reason(e)));
    }
  }

  void remove() {
    if (file.isEmpty() || Files.isDirectory(file.get(), LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      Files.deleteIfExists(file.get());
    } catch (IOException e) {
      messages.error(
          "the ready file \"%s\" cannot be removed (%s): it is there although no command runs"
              .formatted(file.get(), reason(e)));
    }
  }

  private static Path part(Path whole) {
    return whole.resolveSibling(whole.getFileName() + ".part");
  }

  /** The message of such an exception may be the path alone. */
  private static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "there is no such directory";
    } else if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    return e instanceof FileSystemException failure && failure.getReason() != null
        ? failure.getReason()
        : e.toString();
  }
}
