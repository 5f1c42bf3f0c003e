package io.holdfast.tck.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class LeftoversTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir private Path scratch;

  /** By TERM: a JVM that is started in the background may have to ignore INT. */
  @Test
  void aJvmThatIsEndedByASignalLeavesNeitherServersNorFiles() throws Exception {
    // given
    Path said = scratch.resolve("said");
    Path files = Files.createDirectory(scratch.resolve("files"));
    Process jvm =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + files,
                "-cp",
                System.getProperty("java.class.path"),
                Starter.class.getName())
            .redirectError(said.toFile())
            .start();
    ProcessHandle server;
    try (BufferedReader pid =
        new BufferedReader(new InputStreamReader(jvm.getInputStream(), StandardCharsets.UTF_8))) {
      server = ProcessHandle.of(Long.parseLong(pid.readLine())).orElseThrow();
      assertThat(files).isNotEmptyDirectory();

      // when
      jvm.destroy();
      assertThat(jvm.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).as("It has ended.").isTrue();
    } finally {
      jvm.destroyForcibly();
    }

    // then
    await().atMost(TIMEOUT).untilAsserted(() -> assertThat(files).isEmptyDirectory());
    assertThat(ProcessState.isRunning(server)).isFalse();
    assertThat(said).isEmptyFile();
  }

  /** Has a server that writes into its directory all the time, and one that is closed before. */
  static final class Starter {

    private Starter() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
      new Writer().close();
      Writer server = new Writer();
      writeOn(Tools.makeTemporaryDirectory("of-this-jvm-"));
      System.out.println(server.pid());
      Thread.sleep(Long.MAX_VALUE);
    }
  }

  /** As a database in this JVM does, which makes its directory again. */
  private static void writeOn(Path directory) {
    Thread writer =
        new Thread(
            () -> {
              while (true) {
                Path unused = Tools.makeDirectory(directory.resolve("again"));
              }
            });
    writer.setDaemon(true);
    writer.start();
  }

  private static final class Writer extends StoreServer {

    private static final String WRITES =
        "cd $1; echo $$ >pid; while :; do i=$(((i + 1) % 10)); echo >f$i; done";

    Writer() {
      super(Tools.makeTemporaryDirectory("writer-"));
      startFirst(() -> {});
    }

    @Override
    public void start() {
      run(List.of("/bin/sh", "-c", WRITES, "writer", directory().toString()), Map.of())
          .awaitReady(() -> Files.exists(directory().resolve("f9")));
    }

    String pid() throws IOException {
      return Files.readString(directory().resolve("pid")).strip();
    }

    @Override
    protected String shutdownSignal() {
      return "TERM";
    }
  }
}
