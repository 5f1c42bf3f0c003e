package io.holdfast.tck.report.output;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * The classes of a run. With an adapter that was compiled again, or a test class that was renamed
 * or deleted, it is another build: the results of the one before are not results of it.
 *
 * @param classPath where the classes were
 * @param digest of what lay there
 */
record Build(String classPath, String digest) {

  /** Returns that of this JVM. */
  static Build here() {
    return of(System.getProperty("java.class.path", ""));
  }

  /** Returns the build that is now on a class path. */
  static Build of(String classPath) {
    MessageDigest digest = sha256();
    try {
      for (String entry : classPath.split(File.pathSeparator, -1)) {
        digest.update(entry.getBytes(StandardCharsets.UTF_8));
        if (!entry.isEmpty()) {
          add(Path.of(entry), digest);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The class path cannot be read: " + classPath, e);
    }
    return new Build(classPath, HexFormat.of().formatHex(digest.digest()));
  }

  /** Returns whether what it was made of is there still. */
  boolean isUnchanged() {
    try {
      return equals(of(classPath));
    } catch (UncheckedIOException e) {
      return false; // It is being compiled again.
    }
  }

  /** Classes compiled twice from the same sources are the same; a jar is told by its time. */
  private static void add(Path entry, MessageDigest digest) throws IOException {
    if (Files.isDirectory(entry)) {
      for (Path file : files(entry)) {
        digest.update(entry.relativize(file).toString().getBytes(StandardCharsets.UTF_8));
        digest.update(Files.readAllBytes(file));
      }
    } else if (Files.isRegularFile(entry)) {
      String seen = Files.size(entry) + " " + Files.getLastModifiedTime(entry).toMillis();
      digest.update(seen.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every JVM has SHA-256.", e);
    }
  }
}
