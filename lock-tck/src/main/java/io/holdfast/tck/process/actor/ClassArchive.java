package io.holdfast.tck.process.actor;

import io.holdfast.tck.server.ShortLivedJvm;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The classes that child JVMs load, read and linked once, for all but the first of them: half of
 * what a start takes. The first child that ends by itself tells which classes these are. Without an
 * archive a child starts as well, only later.
 */
final class ClassArchive {

  /** How far it is. */
  private enum State {
    WANTED,
    LISTED,
    MADE,
    FAILED
  }

  /** Of this JVM's children. Its files go with the JVM. */
  static final ClassArchive OF_CHILDREN = new ClassArchive(directory());

  private final AtomicReference<State> state = new AtomicReference<>(State.WANTED);
  private final Path list;
  private final Path archive;

  ClassArchive(Path directory) {
    this.list = directory.resolve("classes");
    this.archive = directory.resolve("archive");
  }

  /** One child that is being started. */
  record Use(ClassArchive archive, boolean lists, List<String> options) {

    /** To be called when the child's process is there. */
    void begun(Process process) {
      if (lists) {
        var unused = process.onExit().thenAccept(ended -> archive.listed(ended.exitValue() == 0));
      }
    }
  }

  /** Returns with which options the next child is to be started. */
  Use next() {
    if (state.compareAndSet(State.WANTED, State.LISTED)) {
      return new Use(this, true, List.of("-XX:DumpLoadedClassList=" + list));
    }
    return new Use(
        this,
        false,
        state.get() == State.MADE ? List.of("-XX:SharedArchiveFile=" + archive) : List.of());
  }

  private void listed(boolean completely) {
    if (!completely) { // It was killed, most likely in the middle of a line.
      state.set(State.WANTED);
      return;
    }
    try {
      Process making =
          new ProcessBuilder(
                  ShortLivedJvm.archiving(
                      "-Xshare:dump",
                      "-XX:SharedClassListFile=" + list,
                      "-XX:SharedArchiveFile=" + archive))
              .redirectErrorStream(true)
              .redirectOutput(Redirect.DISCARD)
              .start();
      var unused =
          making
              .onExit()
              .thenAccept(made -> state.set(made.exitValue() == 0 ? State.MADE : State.FAILED));
    } catch (IOException e) {
      state.set(State.FAILED);
    }
  }

  private static Path directory() {
    try {
      Path directory = Files.createTempDirectory("holdfast-classes-");
      for (String file : List.of("", "classes", "archive")) {
        directory.resolve(file).toFile().deleteOnExit();
      }
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
