package io.holdfast.tck.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What would stay behind if this JVM ended before its owners have closed it, as when a run is
 * interrupted at a terminal. One hook for all kills the servers first: hooks of their own would run
 * in any order. Their files are deleted when the JVM has ended. Thread-safe.
 */
final class Leftovers {

  /** Its input ends with this JVM. Programs that make data may outlive that by a moment. */
  private static final String REMOVER =
      """
      trap '' HUP INT TERM
      read -r end
      for attempt in 1 2 3 4 5 6 7 8 9 10; do
        rm -rf -- "$@" && exit
        sleep 0.5
      done""";

  private static final Set<ServerProcess> PROCESSES = new LinkedHashSet<>();
  private static final Set<StoreServer> SERVERS = new LinkedHashSet<>();
  private static final Set<Path> FILES = new LinkedHashSet<>();
  private static boolean ending;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Leftovers::remove, "holdfast-leftovers"));
  }

  private Leftovers() {}

  /** Whoever starts one while the JVM ends has it killed, and is told. */
  static void add(ServerProcess process) {
    if (!added(PROCESSES, process)) {
      process.kill();
      throw new IllegalStateException("No server is started while the JVM ends.");
    }
  }

  static synchronized void forget(ServerProcess process) {
    PROCESSES.remove(process);
  }

  /** Adds one that runs: what a kill leaves outside of its directory is cleared away too. */
  static void add(StoreServer server) {
    boolean unused = added(SERVERS, server);
  }

  static synchronized void forget(StoreServer server) {
    SERVERS.remove(server);
  }

  /** Adds a file, or a directory with all that will be in it. */
  static void add(Path file) {
    if (!added(FILES, file)) {
      Tools.delete(file);
      throw new IllegalStateException("No file is made while the JVM ends.");
    }
  }

  static synchronized void forget(Path file) {
    FILES.remove(file);
  }

  /** Returns whether the JVM ends, and the owners leave all to the hook. */
  static synchronized boolean areRemoved() {
    return ending;
  }

  private static synchronized <T> boolean added(Set<T> all, T one) {
    return !ending && (all.add(one) || all.contains(one));
  }

  private static void remove() {
    List<ServerProcess> processes;
    List<StoreServer> servers;
    List<Path> files;
    synchronized (Leftovers.class) {
      ending = true;
      processes = List.copyOf(PROCESSES);
      servers = List.copyOf(SERVERS);
      files = List.copyOf(FILES);
    }
    processes.forEach(process -> tried(process::kill));
    servers.forEach(server -> tried(server::clearAfterKill));
    if (!files.isEmpty()) {
      tried(() -> deleteLater(files));
    }
  }

  /** Threads of this JVM write until it has ended, some in files that they make again. */
  private static void deleteLater(List<Path> files) {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", REMOVER, "remover"));
    files.forEach(file -> command.add(file.toString()));
    try {
      Process unused =
          new ProcessBuilder(command)
              .redirectOutput(Redirect.DISCARD)
              .redirectError(Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What stays in spite of it is told, and does not keep the rest. */
  private static void tried(Runnable removal) {
    try {
      removal.run();
    } catch (RuntimeException e) {
      System.err.println("Left behind: " + e.getMessage());
    }
  }
}
