package io.holdfast.jdbc.sqlite;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A lock file by its path: which file that is just now, and why it cannot be used.
 *
 * <p>Never opens the file itself: closing any descriptor of a file takes away all locks that the
 * process has on it, those of SQLite included.
 *
 * @param path absolute
 */
public record SqliteFile(Path path) {

  /** The beginning of every URI of a lock file. */
  public static final String SCHEME = "jdbc:sqlite:";

  private static final int STICKY = 01000;
  private static final int GROUP_WRITES = 020;
  private static final int OTHERS_WRITE = 02;

  /**
   * Reads the file's path from a URI.
   *
   * @throws BadRequestException if it names none
   */
  public static SqliteFile ofUri(String uri) {
    String name = uri.substring(SCHEME.length());
    String form = "Give the path of a file: " + SCHEME + "/var/lib/app/locks.db";
    if (name.isBlank()) {
      throw new BadRequestException("The URI %s names no file. %s".formatted(uri, form));
    }
    if (name.contains("?")) {
      throw new BadRequestException(
          "The URI %s has other parameters than tablePrefix and restartGuard, which are all that there are here. %s"
              .formatted(uri, form));
    }
    if (name.startsWith(":") || name.toLowerCase(Locale.ROOT).startsWith("file:")) {
      throw new BadRequestException(
          "The URI %s does not name a plain file, and a database in memory excludes no other process. %s"
              .formatted(uri, form));
    }
    try {
      return new SqliteFile(Path.of(name).toAbsolutePath());
    } catch (InvalidPathException e) {
      throw new BadRequestException("The URI %s names no file. %s".formatted(uri, form), e);
    }
  }

  /** Returns the URI under which SQLite opens the file, and makes it if that is allowed. */
  String uri(boolean create) {
    return SCHEME + path.toUri() + "?mode=" + (create ? "rwc" : "rw");
  }

  /**
   * Returns what tells the file at the path from every other that exists, or nothing if there is
   * none or it cannot be told.
   */
  Optional<Object> key() {
    try {
      @Nullable Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      // No keys on Windows, where a file in use can neither be deleted nor replaced.
      return Optional.of(key == null ? "" : key);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns whether there is certainly no file at the path. */
  boolean isGone() {
    try {
      Files.readAttributes(path, BasicFileAttributes.class);
      return false;
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns a text that differs for a copy of the file, and stays while the file is moved. */
  String serial() {
    try {
      return Files.getAttribute(path, "unix:ino").toString();
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return "";
    }
  }

  /**
   * Removes what SQLite keeps beside a database. Only for a new and empty one that no other process
   * can use yet: what lies there then belongs to a deleted file of the same name, may still be in
   * use by those who have not noticed, and would be taken for this one's.
   */
  void removeLeftovers() throws IOException {
    Path real = path.toRealPath();
    Files.deleteIfExists(real.resolveSibling(real.getFileName() + "-wal"));
    Files.deleteIfExists(real.resolveSibling(real.getFileName() + "-shm"));
  }

  /**
   * Lets all users use a new file who could replace it anyway, because they may write to its
   * directory: users who share the directory must share the locks, with any umask.
   */
  void shareLikeDirectory() {
    try {
      int mode = (Integer) Files.getAttribute(directory(), "unix:mode");
      if ((mode & STICKY) != 0) {
        return;
      }
      Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
      permissions.addAll(Files.getPosixFilePermissions(path));
      if ((mode & GROUP_WRITES) != 0) {
        permissions.add(PosixFilePermission.GROUP_READ);
        permissions.add(PosixFilePermission.GROUP_WRITE);
      }
      if ((mode & OTHERS_WRITE) != 0) {
        permissions.add(PosixFilePermission.OTHERS_READ);
        permissions.add(PosixFilePermission.OTHERS_WRITE);
      }
      Files.setPosixFilePermissions(path, permissions);
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      // Another user made it at the same moment, or there are no such permissions here.
    }
  }

  /**
   * Checks that no other machine can reach the file.
   *
   * @throws BackendUnusableException if it lies on a network file system
   */
  void requireLocal(Function<Path, String> fileSystem) {
    String type = fileSystem.apply(Files.exists(path) ? path : directory());
    if (NetworkFileSystem.is(type)) {
      throw new BackendUnusableException(
          "The lock file %s is on a network file system (%s), or on one of which we do not know that it is none. SQLite's locks there exclude only processes of one machine, if any. Put it on a local disk, or use a database server for locks between machines."
              .formatted(path, type));
    }
  }

  /**
   * Checks that an existing file may be written; SQLite would open it for reading and only fail
   * with the first grab.
   *
   * @throws BackendUnusableException if not
   */
  void requireWritable() {
    if (Files.exists(path) && !Files.isWritable(path)) {
      throw new BackendUnusableException(
          "The lock file %s cannot be used: %s."
              .formatted(this, obstacle().orElse("it cannot be written. Look at its permissions")));
    }
  }

  /** Returns why the file cannot be opened and written, and what to do, as far as can be seen. */
  Optional<String> obstacle() {
    Path directory = directory();
    if (!Files.exists(directory)) {
      return Optional.of(
          "its directory does not exist. Create %s, or name another file".formatted(directory));
    }
    if (!Files.isDirectory(directory)) {
      return Optional.of("%s is not a directory. Name another file".formatted(directory));
    }
    if (Files.isDirectory(path)) {
      return Optional.of("it is a directory. Name a file in it");
    }
    if (!Files.isWritable(directory)) {
      return Optional.of(
          "its directory is not writable for user %s, and SQLite makes files beside it. Allow that, or name another file"
              .formatted(user()));
    }
    if (Files.exists(path) && (!Files.isReadable(path) || !Files.isWritable(path))) {
      return Optional.of(
          "it is not readable and writable for user %s. Allow that, or name another file"
              .formatted(user()));
    }
    return Optional.empty();
  }

  private Path directory() {
    Path parent = path.getParent();
    return parent == null ? path : parent;
  }

  private static String user() {
    return System.getProperty("user.name", "(unknown)");
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
