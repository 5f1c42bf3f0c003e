package io.holdfast.jdbc.sqlite;

import java.util.Locale;
import java.util.Set;

/**
 * File systems behind which may be other machines: those have clocks and uptimes of their own, and
 * SQLite's write-ahead log needs memory that all its users share.
 */
final class NetworkFileSystem {

  private static final String FUSE = "fuse.";

  private static final Set<String> NAMES =
      Set.of(
          "9p",
          "acfs",
          "afs",
          "beegfs",
          "ceph",
          "cifs",
          "coda",
          "davfs",
          "drvfs",
          "gfs2",
          "glusterfs",
          "gpfs",
          "lustre",
          "ncpfs",
          "ocfs2",
          "orangefs",
          "osxfs",
          "panfs",
          "prl_fs",
          "pvfs2",
          "vboxsf",
          "virtiofs",
          "vmhgfs",
          "webdav",
          "wekafs");

  /** Any other directory that a program provides may have a network behind it. */
  private static final Set<String> LOCAL_FUSE =
      Set.of(
          "fuse.bindfs",
          "fuse.encfs",
          "fuse.fuse-overlayfs",
          "fuse.gocryptfs",
          "fuse.mergerfs",
          "fuse.ntfs",
          "fuse.ntfs-3g");

  private NetworkFileSystem() {}

  /** Returns whether a type is that of one, or may be. */
  static boolean is(String type) {
    String lower = type.toLowerCase(Locale.ROOT);
    return NAMES.contains(lower)
        || lower.startsWith("nfs")
        || lower.startsWith("smb")
        || lower.equals("fuse")
        || (lower.startsWith(FUSE) && !LOCAL_FUSE.contains(lower));
  }
}
