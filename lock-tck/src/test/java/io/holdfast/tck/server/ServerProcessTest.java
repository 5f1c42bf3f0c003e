package io.holdfast.tck.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class ServerProcessTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  /** Counts in a child, as servers that fork do. */
  private static final String COUNTS =
      "echo $$ >\"$2\"; (while :; do date >>\"$1\"; sleep 0.02; done) & wait";

  @TempDir private Path directory;

  private static ServerProcess count(Path directory) {
    List<String> command =
        List.of(
            "/bin/sh",
            "-c",
            COUNTS,
            "server",
            directory.resolve("ticks").toString(),
            directory.resolve("pid").toString());
    ServerProcess server = ServerProcess.start(command, directory.resolve("log"));
    server.awaitReady(() -> ticks(directory) > 0);
    return server;
  }

  private static long ticks(Path directory) {
    return directory.resolve("ticks").toFile().length();
  }

  private void awaitTick() {
    long before = ticks(directory);
    await().atMost(TIMEOUT).until(() -> ticks(directory) > before);
  }

  @Test
  void aServerThatDoesNotStartSaysWhy() {
    List<String> command = List.of("/bin/sh", "-c", "echo no luck; exit 1");
    try (ServerProcess server = ServerProcess.start(command, directory.resolve("log"))) {
      assertThatThrownBy(() -> server.awaitReady(() -> false)).hasMessageContaining("no luck");
    }
  }

  @Test
  void aServerIsStoppedWithItsChildrenAndGoesOn() {
    try (ServerProcess server = count(directory)) {
      server.pause();
      long stopped = ticks(directory);
      await()
          .atMost(TIMEOUT)
          .during(Duration.ofMillis(200))
          .until(() -> ticks(directory) == stopped);

      server.resume();

      awaitTick();
    }
  }

  @Test
  void aServerIsKilledWithItsChildrenAlsoWhenItIsStopped() {
    try (ServerProcess server = count(directory)) {
      server.pause();

      server.kill();

      assertThat(server.isAlive()).isFalse();
      long killed = ticks(directory);
      await()
          .atMost(TIMEOUT)
          .during(Duration.ofMillis(200))
          .until(() -> ticks(directory) == killed);
    }
  }

  @Test
  void aServerIsGoneWithItsChildrenAfterTheJvmThatStartedItWasKilled() throws IOException {
    // given
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Starter.class.getName(),
                directory.toString())
            .start();
    try (BufferedReader said =
        new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
      assertThat(said.readLine()).isEqualTo("paused");
    }
    long pid = Long.parseLong(Files.readString(directory.resolve("pid")).strip());
    ProcessHandle server = ProcessHandle.of(pid).orElseThrow();

    // when
    jvm.destroyForcibly();

    // then
    await().atMost(TIMEOUT).until(() -> !ProcessState.isRunning(server));
    long killed = ticks(directory);
    await().atMost(TIMEOUT).during(Duration.ofMillis(200)).until(() -> ticks(directory) == killed);
  }

  /** Starts a server, stops it, and waits to be killed. */
  static final class Starter {

    private Starter() {}

    public static void main(String[] arguments) throws InterruptedException {
      ServerProcess server = count(Path.of(Arrays.asList(arguments).get(0)));
      server.pause();
      System.out.println("paused");
      Thread.sleep(Long.MAX_VALUE);
    }
  }
}
