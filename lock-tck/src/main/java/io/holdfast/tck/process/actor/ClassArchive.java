package io.holdfast.tck.process.actor;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.holdfast.tck.server.ShortLivedJvm;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The classes that child JVMs load, read and linked once, for all but the first of them: half of
 * what a start takes. The first child that is ready tells which classes these are. It is not waited
 * for until it ends: most children are killed, or live long. Without an archive a child starts as
 * well, only later.
 *
 * <p>To make an archive takes as long as a dozen starts. JVMs that are given the same directory
 * share one, if their class paths are the same. One of them makes it, which has the file of the
 * claim locked: a claim ends with its JVM. The processes that it has begun may go on without it, so
 * each claim has files of its own, and an archive is there from one moment to the next.
 */
final class ClassArchive {

  /** The directory in which JVMs share archives. No other user may write there. */
  private static final String SHARED_DIRECTORY = "holdfast.tck.archives";

  /** Of this JVM's children. */
  static final ClassArchive OF_CHILDREN = new ClassArchive(directory());

  private final Path directory;
  private final Path claimed;
  private final Path archive;

  /** While this JVM is the one that makes the archive, and for good if it cannot. */
  private Optional<Claim> claim = Optional.empty();

  /** For good once the list was read. */
  private boolean making;

  ClassArchive(Path directory) {
    this.directory = directory;
    this.claimed = directory.resolve("claimed");
    this.archive = directory.resolve("archive");
  }

  /**
   * Of the one that makes the archive.
   *
   * @param list written by a child, which goes on with it
   * @param ready what of that was read
   * @param made the archive as long as it is being written
   */
  private record Claim(FileChannel locked, Path list, Path ready, Path made) {

    static Claim of(FileChannel locked, Path directory) {
      String name = UUID.randomUUID().toString();
      Claim claim =
          new Claim(
              locked,
              directory.resolve(name + ".classes"),
              directory.resolve(name + ".ready"),
              directory.resolve(name + ".made"));
      Stream.of(claim.list, claim.ready, claim.made).forEach(file -> file.toFile().deleteOnExit());
      return claim;
    }
  }

  /** One child that is being started. */
  record Use(ClassArchive archive, boolean lists, List<String> options) {

    /** To be called when the child's process is there. */
    void begun(Process process) {
      if (lists) {
        var unused = process.onExit().thenRun(archive::giveUpUnlessReady);
      }
    }

    /** To be called when the child has loaded what every child needs. */
    void ready() {
      if (lists) {
        archive.make();
      }
    }
  }

  /** Returns with which options the next child is to be started. */
  synchronized Use next() {
    if (Files.exists(archive)) {
      return new Use(this, false, List.of("-XX:SharedArchiveFile=" + archive));
    }
    if (claim.isEmpty()) {
      claim = claim();
      if (claim.isPresent()) {
        return new Use(this, true, List.of("-XX:DumpLoadedClassList=" + claim.get().list()));
      }
    }
    return new Use(this, false, List.of());
  }

  /** Empty also where files cannot be locked: children start without an archive, too. */
  private Optional<Claim> claim() {
    try {
      FileChannel file =
          FileChannel.open(claimed, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (isLocked(file) && !Files.exists(archive)) {
        return Optional.of(Claim.of(file, directory));
      }
      file.close();
      return Optional.empty();
    } catch (IOException noFilesHere) {
      return Optional.empty();
    }
  }

  private static boolean isLocked(FileChannel file) {
    try {
      return file.tryLock() != null;
    } catch (OverlappingFileLockException | IOException claimedInThisJvmOrNoLocksHere) {
      return false;
    }
  }

  private synchronized void giveUpUnlessReady() {
    if (!making) { // It was killed before, or could not start.
      giveUpClaim();
    }
  }

  private synchronized void giveUpClaim() {
    try {
      claim.orElseThrow().locked().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    claim = Optional.empty();
  }

  private synchronized void make() {
    if (claim.isEmpty()) { // It has ended meanwhile, and the next child may list already.
      return;
    }
    making = true;
    Claim own = claim.get();
    try {
      String listed = Files.readString(own.list(), ISO_8859_1);
      Files.writeString(own.ready(), wholeLines(listed), ISO_8859_1);
      Process dump =
          new ProcessBuilder(
                  ShortLivedJvm.archiving(
                      "-Xshare:dump",
                      "-XX:SharedClassListFile=" + own.ready(),
                      "-XX:SharedArchiveFile=" + own.made()))
              .redirectErrorStream(true)
              .redirectOutput(Redirect.DISCARD)
              .start();
      var unused = dump.onExit().thenAccept(ended -> made(own, ended.exitValue() == 0));
    } catch (IOException thereIsNoArchiveThen) {
      // Its children start as well.
    }
  }

  /** The child goes on listing: its last line may be half a line. */
  private static String wholeLines(String text) {
    return text.substring(0, text.lastIndexOf('\n') + 1);
  }

  private void made(Claim own, boolean completely) {
    if (completely) {
      try {
        Files.move(own.made(), archive, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      giveUpClaim();
    }
  }

  /** Jars that were built again are others: an archive of the former ones is of no use. */
  private static int jvmAndJars() {
    List<Object> all = new ArrayList<>(List.of(System.getProperty("java.vm.version")));
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      File file = new File(entry);
      all.add(entry);
      all.add(file.isFile() ? List.of(file.length(), file.lastModified()) : "");
    }
    return all.hashCode();
  }

  private static Path directory() {
    String shared = System.getProperty(SHARED_DIRECTORY);
    try {
      if (shared != null) {
        return Files.createDirectories(Path.of(shared, Integer.toHexString(jvmAndJars())));
      }
      Path directory = Files.createTempDirectory("holdfast-classes-");
      for (String file : List.of("", "claimed", "archive")) {
        directory.resolve(file).toFile().deleteOnExit();
      }
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
