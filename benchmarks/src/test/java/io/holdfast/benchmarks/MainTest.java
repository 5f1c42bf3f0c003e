package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.tck.server.ShortLivedJvm;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class MainTest {

  @TempDir private Path scratch;

  private final StringWriter printed = new StringWriter();

  private int run(String... options) {
    List<String> arguments = new ArrayList<>(List.of("--out", scratch.resolve("out").toString()));
    arguments.addAll(List.of(options));
    String[] all = arguments.toArray(String[]::new);
    CommandLine command = Main.commandLine(all);
    PrintWriter writer = new PrintWriter(printed, true);
    return command.setErr(writer).setOut(writer).execute(all);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--store oracle                              | There is no store \"oracle\".",
        "--part all                                  | There is no part \"all\".",
        "--fast                                      | Unknown option: '--fast'",
        "--part counts --uri memory:x                | The part counts cannot measure the store of --uri.",
        "--part processes --uri memory:x             | The part processes cannot measure the store of --uri.",
        "--part simulation --store mariadb           | Name some of postgresql, redis, etcd by --store",
        "--part processes --store memory,sqlite      | The part processes cannot measure memory.",
        "--part comparison --before none             | There is no folder",
        "--part counts --before none                 | An earlier version takes part in comparison, contended only.",
        "--jar none.jar --uri memory:x               | none.jar is not on the class path.",
      })
  void whatWouldDoNothingIsRefusedByOneLine(String options, String message) {
    int code = run(options.split(" +", -1));

    assertThat(code).isEqualTo(2);
    assertThat(printed.toString()).contains(message).hasLineCount(1);
    assertThat(scratch.resolve("out")).doesNotExist();
  }

  @Test
  void theHelpListsStoresAndParts() {
    int code = run("--help");

    assertThat(code).isZero();
    assertThat(printed.toString().replaceAll("\\s+", " "))
        .contains("sqlite, postgresql, mariadb, h2, redis, etcd, zookeeper, mongodb, memory")
        .contains(
            "comparison, layers, rungs, contended, cached, counts, async, jmh, processes, simulation")
        .doesNotContain("--version");
  }

  @Test
  void theLayersOfAGivenStoreAreMeasured() throws Exception {
    int code = run("--quick", "--part", "layers", "--uri", "memory:given");

    assertThat(code).isZero();
    assertThat(Files.readString(scratch.resolve("out/report.md")))
        .contains("## Layers on given-memory")
        .contains("| Its adapter alone |")
        .contains("| Holdfast |");
  }

  /** JVMs that it kills have unpacked SQLite's library. */
  @Test
  void aRunLeavesNoTemporaryFiles() throws Exception {
    Path files = Files.createDirectory(scratch.resolve("files"));
    Path locks = scratch.resolve("locks.db");
    List<String> command = ShortLivedJvm.command(Main.class.getName(), "-Djava.io.tmpdir=" + files);
    command.addAll(List.of("--out", scratch.resolve("out").toString(), "--quick"));
    command.addAll(List.of("--part", "processes", "--uri", "jdbc:sqlite:" + locks));

    Process run =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(scratch.resolve("said").toFile())
            .start();

    assertThat(run.waitFor()).as(scratch.resolve("said").toString()).isZero();
    await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(files).isEmptyDirectory());
    assertThat(Files.readString(scratch.resolve("out/report.md")))
        .contains("## Take-over after kill -9")
        .contains("| given-jdbc | 2 |");
  }
}
