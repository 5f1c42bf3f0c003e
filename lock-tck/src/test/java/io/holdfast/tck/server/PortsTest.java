package io.holdfast.tck.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PortsTest {

  /** By chance alone some ten of two JVMs' would be the same. */
  private static final int MANY = 500;

  /** Prints what it chooses, and ends with its input. */
  static final class Other {
    public static void main(String[] arguments) throws IOException {
      for (int i = 0; i < MANY; i++) {
        System.out.println(Ports.choose());
      }
      System.in.transferTo(System.out);
    }
  }

  @Test
  void whileTwoJvmsRunNoPortIsChosenTwice() throws Exception {
    Process other = new ProcessBuilder(ShortLivedJvm.command(Other.class.getName())).start();
    try (BufferedReader reader = other.inputReader(StandardCharsets.UTF_8)) {
      List<Integer> chosen = new ArrayList<>();
      while (chosen.size() < MANY) {
        chosen.add(Integer.valueOf(reader.readLine()));
      }
      IntStream.range(0, MANY).forEach(i -> chosen.add(Ports.choose()));

      assertThat(chosen).doesNotHaveDuplicates();
    } finally {
      other.destroyForcibly();
    }
  }

  /** A process that is being started has, until it runs, every file that this JVM has open. */
  @Test
  void aChosenPortIsFreeAlsoWhileProcessesAreStarted() throws Exception {
    AtomicBoolean done = new AtomicBoolean();
    List<CompletableFuture<Void>> starters =
        Stream.generate(
                () ->
                    CompletableFuture.runAsync(
                        () -> {
                          while (!done.get()) {
                            start("true");
                          }
                        },
                        task -> new Thread(task, "starter").start()))
            .limit(8)
            .toList();
    try {
      for (int i = 0; i < 4 * MANY; i++) {
        try (ServerSocket server = new ServerSocket()) {
          server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), Ports.choose()));
        }
      }
    } finally {
      done.set(true);
      starters.forEach(CompletableFuture::join);
    }
  }

  private static void start(String command) {
    try {
      new ProcessBuilder(command).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new CompletionException(e);
    }
  }
}
