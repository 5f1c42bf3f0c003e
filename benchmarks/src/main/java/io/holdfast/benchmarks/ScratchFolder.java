package io.holdfast.benchmarks;

import io.holdfast.tck.server.Tools;

/**
 * A folder for what the JVMs of a run unpack. It is deleted when this JVM ends, while they leave
 * their part behind when they are killed, as those that hold locks are.
 */
final class ScratchFolder {

  /** Where SQLite's driver unpacks its library; JVMs that this one starts are given the same. */
  private static final String LIBRARIES = "org.sqlite.tmpdir";

  private ScratchFolder() {}

  /** To be called before a driver is loaded. Does nothing if the caller has named a folder. */
  static void make() {
    if (System.getProperty(LIBRARIES) == null) {
      System.setProperty(
          LIBRARIES, Tools.makeTemporaryDirectory("holdfast-benchmarks-").toString());
    }
  }
}
