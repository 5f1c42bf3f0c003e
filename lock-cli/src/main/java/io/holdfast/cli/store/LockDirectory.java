package io.holdfast.cli.store;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
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

/** The directories of the lock files that are used when the user names no store. */
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

  /** Makes a directory that only its owner may enter, and its missing parent directories. */
  static void makePrivate(Path directory) {
    if (isSticky(directory)) {
      throw new BadRequestException(
          "%s is a sticky directory, in which a lock file is not safe. Give its place with --backend."
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
          "Cannot make the directory %s for the lock file (%s). Give another place with --backend."
              .formatted(directory, e),
          e);
    }
  }

  /**
   * Makes an empty lock file that every user may write who may write in its directory, for any
   * umask of the process that makes it. SQLite gives the files beside it the same mode. The file
   * gets its mode before its name, so that no other process opens it with the wrong mode.
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
        // Another process was first; its file is as good.
      } finally {
        Files.delete(made);
      }
    } catch (IOException e) {
      throw new BackendUnusableException(
          "Cannot make the lock file %s (%s). Give another place with --backend."
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
   * Returns the permissions of the lock file. If the file does not have the directory's group, it
   * has the group of the user who made it. To the directory the members of that group are others.
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
   * Returns whether the file got the group. A user who is not a member of the group cannot set it.
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
