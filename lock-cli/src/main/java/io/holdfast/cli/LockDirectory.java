package io.holdfast.cli;

import io.holdfast.BackendUnusableException;
import io.holdfast.BadRequestException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** The directories in which lock files are put when nobody said where. */
final class LockDirectory {

  private static final int STICKY = 01000;

  private LockDirectory() {}

  static boolean isSticky(Path directory) {
    try {
      return ((int) Files.getAttribute(directory, "unix:mode") & STICKY) != 0;
    } catch (IOException | UnsupportedOperationException e) {
      return false;
    }
  }

  /** Makes a directory that only its owner may enter, and those above it, where missing. */
  static void makePrivate(Path directory) {
    if (isSticky(directory)) {
      throw new BadRequestException(
          "%s is a sticky directory, in which a lock file is not safe. Say with --backend where it is to be."
              .formatted(directory));
    }
    if (Files.isDirectory(directory)) {
      return;
    }
    try {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new BackendUnusableException(
          "Cannot make the directory %s for the lock file (%s). Say with --backend where it is to be."
              .formatted(directory, e),
          e);
    }
  }

  /**
   * Makes an empty lock file that everybody may write who may write in its directory, whatever the
   * umask of whoever comes first; SQLite gives the files beside it the same mode. It gets its mode
   * before its name, so that nobody meets it half made.
   */
  static void makeSharedFile(Path directory, String name) {
    Path file = directory.resolve(name);
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try {
      Path made = Files.createTempFile(directory, ".locks", ".new");
      try {
        likeDirectory(made, directory);
        Files.createLink(file, made);
      } catch (FileAlreadyExistsException e) {
        // Somebody else was first; theirs is as good.
      } finally {
        Files.delete(made);
      }
    } catch (IOException e) {
      throw new BackendUnusableException(
          "Cannot make the lock file %s (%s). Say with --backend where it is to be."
              .formatted(file, e),
          e);
    }
  }

  private static void likeDirectory(Path file, Path directory) throws IOException {
    PosixFileAttributes wanted = Files.readAttributes(directory, PosixFileAttributes.class);
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    view.setPermissions(permissions(wanted.permissions(), takesGroup(view, wanted.group())));
  }

  /**
   * Who may write the lock file. If it has not got the directory's group it has its maker's, whose
   * members are to the directory like everybody else.
   */
  static Set<PosixFilePermission> permissions(
      Set<PosixFilePermission> directory, boolean hasDirectorysGroup) {
    boolean others = directory.contains(PosixFilePermission.OTHERS_WRITE);
    boolean group =
        hasDirectorysGroup ? directory.contains(PosixFilePermission.GROUP_WRITE) : others;
    Set<PosixFilePermission> file =
        EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE);
    if (group) {
      file.add(PosixFilePermission.GROUP_READ);
      file.add(PosixFilePermission.GROUP_WRITE);
    }
    if (others) {
      file.add(PosixFilePermission.OTHERS_READ);
      file.add(PosixFilePermission.OTHERS_WRITE);
    }
    return file;
  }

  /**
   * A user who is in the directory by another right than its group's cannot give the group away.
   */
  private static boolean takesGroup(PosixFileAttributeView view, GroupPrincipal group) {
    try {
      view.setGroup(group);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
