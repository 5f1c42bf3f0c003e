package io.holdfast.cli.elect;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.Grant;
import io.holdfast.LockName;
import io.holdfast.Sequencer;
import io.holdfast.cli.output.Messages;
import io.holdfast.error.BadRequestException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/**
 * A file that is there while the command of a leader runs, for health checks. It has the sequencer
 * of the leader's grant in it. A file that cannot be written is told when this process begins,
 * since it may be elected days later; from then on it is no reason to give the lead up.
 *
 * <p>Others on this machine may have been given the same file. So its process keeps it locked while
 * it is there: one that is not locked was left by a process that was killed.
 */
final class ReadyFile {

  private static final String PART = ".part";

  /** More bytes than the longest sequencer has. */
  private static final int LONGEST = 2 * LockName.BYTES_MAX;

  private final Optional<Path> file;
  private final Messages messages;
  private Optional<Shown> shown = Optional.empty();

  /** The file of this process, with its content. */
  private record Shown(String sequencer, FileChannel locked) {}

  /**
   * Writes nothing yet.
   *
   * @param file empty for none
   */
  ReadyFile(Optional<Path> file, Messages messages) {
    this.file = file;
    this.messages = messages;
  }

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
      requireOurs(whole);
      requireOurs(beside(whole, PART));
      if (isLeft(whole)) {
        Files.deleteIfExists(whole);
      }
      // Not the name that a leader writes to.
      Path attempt = beside(whole, "." + ProcessHandle.current().pid());
      locked(attempt).close();
      Files.delete(attempt);
    } catch (IOException e) {
      throw new BadRequestException(
          "--ready-file \"%s\" cannot be written: %s".formatted(whole, reason(e)), e);
    }
  }

  /**
   * Refuses a file that is not of this command: the path may be that of a device, or of a file with
   * settings. An empty file may have been left by a machine that lost its power.
   */
  private static void requireOurs(Path path) throws IOException {
    try {
      BasicFileAttributes found =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (found.isRegularFile() && (found.size() == 0 || hasSequencer(path))) {
        return;
      }
    } catch (NoSuchFileException e) {
      return; // Nothing is there, or no more.
    }
    throw new FileSystemException(
        path.toString(), null, "\"" + path + "\" is not a ready file of an earlier run");
  }

  /** Whether the whole content is one line with a sequencer. */
  private static boolean hasSequencer(Path path) throws IOException {
    byte[] start;
    try (InputStream in = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
      start = in.readNBytes(LONGEST);
    }
    String text = new String(start, UTF_8);
    try {
      return text.equals(Sequencer.parse(text.stripTrailing()) + "\n");
    } catch (BadRequestException e) {
      return false;
    }
  }

  /** Whether its process is there no more. */
  private static boolean isLeft(Path whole) throws IOException {
    try (FileChannel reads =
        FileChannel.open(whole, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      return reads.tryLock(0, Long.MAX_VALUE, true) != null;
    } catch (OverlappingFileLockException e) {
      return false; // It is of this very process.
    } catch (NoSuchFileException e) {
      return false; // The leader has just removed it.
    }
  }

  private static FileChannel locked(Path part) throws IOException {
    requireOurs(part);
    FileChannel writes =
        FileChannel.open(
            part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    try {
      if (writes.tryLock() == null) {
        throw new IOException("another process writes \"" + part + "\"");
      }
      return writes.truncate(0);
    } catch (IOException e) {
      writes.close();
      throw e;
    }
  }

  void create(Grant grant) {
    if (file.isEmpty()) {
      return;
    }
    Path whole = file.get();
    Path part = beside(whole, PART);
    String sequencer = grant.sequencer() + "\n";
    try {
      requireOurs(whole);
      FileChannel locked = locked(part);
      shown = Optional.of(new Shown(sequencer, locked));
      ByteBuffer text = UTF_8.encode(sequencer);
      while (text.hasRemaining()) {
        locked.write(text);
      }
      // A check that reads it sees all of it.
      Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      messages.error(
          "the ready file \"%s\" cannot be written (%s): the command runs without it"
              .formatted(whole, reason(e)));
    }
  }

  void remove() {
    if (file.isEmpty() || shown.isEmpty()) {
      return;
    }
    try (FileChannel ignored = shown.get().locked()) {
      if (hasText(file.get(), shown.get().sequencer())) {
        Files.deleteIfExists(file.get());
      }
    } catch (IOException e) {
      messages.error(
          "the ready file \"%s\" cannot be removed (%s): it is there although no command runs"
              .formatted(file.get(), reason(e)));
    }
    shown = Optional.empty();
  }

  /** That of another leader has another sequencer in it. */
  private static boolean hasText(Path whole, String text) throws IOException {
    return Files.isRegularFile(whole, LinkOption.NOFOLLOW_LINKS)
        && Files.readString(whole, UTF_8).equals(text);
  }

  private static Path beside(Path whole, String ending) {
    return whole.resolveSibling(whole.getFileName() + ending);
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
