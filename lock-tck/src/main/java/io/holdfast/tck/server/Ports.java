package io.holdfast.tck.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports for servers. Several JVMs choose at the same time, and a server listens only some time
 * after its port was chosen, so each JVM has its ports to itself until it ends: for each it locks a
 * byte of one file, which the system gives up when the JVM is killed.
 */
final class Ports {

  private static final byte[] LOCALHOST = {127, 0, 0, 1};

  // Below those that the system gives to connections and to programs that ask for any.
  private static final int MIN = 10_000;
  private static final int END = 32_000;
  private static final int ATTEMPTS = 1_000;

  private static final FileChannel CLAIMS = open();

  /** A lock without a reference to it is not seen as this JVM's. */
  private static final Queue<FileLock> CLAIMED = new ConcurrentLinkedQueue<>();

  private Ports() {}

  /** The file is the same for JVMs that have directories for temporary files of their own. */
  private static FileChannel open() {
    String file = "holdfast-ports-of-" + System.getProperty("user.name");
    Path common = Path.of("/tmp");
    Path directory =
        Files.isWritable(common) ? common : Path.of(System.getProperty("java.io.tmpdir"));
    try {
      return FileChannel.open(
          directory.resolve(file), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a port on which nothing listens and that no other JVM has chosen. */
  static int choose() {
    try {
      for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        int port = ThreadLocalRandom.current().nextInt(MIN, END);
        if (claim(port) && isFree(port)) {
          return port;
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    throw new IllegalStateException(
        "No port of %s to %s is free. End servers that earlier tests have left."
            .formatted(MIN, END - 1));
  }

  private static boolean claim(int port) throws IOException {
    try {
      FileLock claim = CLAIMS.tryLock(port, 1, false);
      return claim != null && CLAIMED.add(claim);
    } catch (OverlappingFileLockException e) {
      return false; // This JVM has chosen it already.
    }
  }

  /**
   * It is not listened to for this: a process that this JVM starts meanwhile would go on listening
   * until it runs its own program.
   */
  private static boolean isFree(int port) throws IOException {
    try (Socket socket = new Socket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByAddress(LOCALHOST), port));
      return true;
    } catch (BindException e) {
      return false;
    }
  }
}
