package io.holdfast.cli;

import static io.holdfast.cli.run.Commands.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.Tool.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Processes that elect one of them to run a command. */
@Execution(ExecutionMode.CONCURRENT)
class ElectIT {

  @TempDir private Path directory;
  private Path log;
  private Tool tool;

  @BeforeEach
  void setUp() {
    tool = new Tool(Tool.built(), directory);
    log = directory.resolve("log");
  }

  @AfterEach
  void tearDown() {
    tool.close();
  }

  private List<String> lines() {
    try {
      return Files.exists(log) ? Files.readAllLines(log) : List.of();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void until(BooleanSupplier done) {
    await().atMost(TIMEOUT).until(done::getAsBoolean);
  }

  /** A service that says when it begins and ends, and ends in good order when it is asked to. */
  private String service(String name) {
    return "trap 'echo %1$s stops >>%2$s; exit 3' TERM; echo %1$s serves >>%2$s; while :; do sleep 0.1; done"
        .formatted(name, log);
  }

  /** With a lease that lasts over a time in which the machine stands still. */
  private Run stand(String name, String... options) throws IOException {
    return stand(Duration.ofSeconds(60), name, options);
  }

  private Run stand(Duration ttl, String name, String... options) throws IOException {
    return tool.start(
        java.util.stream.Stream.of(
                List.of("elect", "leader", "--ttl", ttl.toSeconds() + "s"),
                List.of(options),
                List.of("--", "sh", "-c", service(name)))
            .flatMap(List::stream)
            .toArray(String[]::new));
  }

  @Test
  void aLeaderThatIsStoppedIsGoneBeforeTheNextServes() throws Exception {
    Path ready = directory.resolve("ready");
    Run one = stand("one", "--ready-file", ready.toString());
    until(() -> lines().contains("one serves"));
    assertThat(ready).content().startsWith("leader:exclusive:");
    Run two = stand("two");
    until(() -> two.err().contains("waiting for"));

    one.signal("TERM");

    assertThat(one.exitCode()).as("the command's own exit code").isEqualTo(3);
    until(() -> lines().contains("two serves"));
    assertThat(ready).doesNotExist();
    two.signal("TERM");
    assertThat(two.exitCode()).isEqualTo(3);
    assertThat(lines()).containsExactly("one serves", "one stops", "two serves", "two stops");
  }

  @Test
  void aLeaderThatIsKilledIsFollowedByAnother() throws Exception {
    // The other one waits for as long as this lease.
    Run one = stand(Duration.ofSeconds(6), "one");
    until(() -> lines().contains("one serves"));
    Run two = stand("two");

    one.signal("KILL");

    until(() -> lines().contains("two serves"));
    two.signal("TERM");
    assertThat(two.exitCode()).isEqualTo(3);
  }

  @Test
  void aCommandThatEndsIsStartedAgainUnderTheSameGrant() throws Exception {
    Run run =
        tool.start(
            "elect", "leader", "--", "sh", "-c", "echo $HOLDFAST_TOKEN >>" + log + "; exit 1");
    until(() -> lines().size() >= 2);

    run.signal("TERM");

    assertThat(run.exitCode()).isIn(143, 1);
    assertThat(lines()).as("the tokens of all runs").containsOnly(lines().get(0));
    assertThat(run.err()).contains("the command ended with code 1; it is started again in 1.0 s");
  }

  @Test
  void aLeaderThatResignsLetsAnotherLead() throws Exception {
    String job = "echo %s >>" + log + "; sleep 1";
    Run one =
        tool.start("elect", "leader", "--on-exit", "resign", "--", "sh", "-c", job.formatted("1"));
    Run two =
        tool.start("elect", "leader", "--on-exit", "resign", "--", "sh", "-c", job.formatted("2"));

    until(() -> changesOfLeader() >= 2); // The first one stood again when it had resigned.

    one.signal("TERM");
    two.signal("TERM");
    one.exitCode();
    two.exitCode();
  }

  private long changesOfLeader() {
    List<String> leaders = lines();
    return IntStream.range(1, leaders.size())
        .filter(i -> !leaders.get(i).equals(leaders.get(i - 1)))
        .count();
  }

  @Test
  void aLeaderMayEndWithItsCommand() throws Exception {
    Run run = tool.run("elect", "leader", "--on-exit", "exit", "--", "sh", "-c", "exit 5");

    assertThat(run.process().exitValue()).isEqualTo(5);
    assertThat(tool.run("run", "leader", "--wait", "0s", "--", "true").process().exitValue())
        .as("the lock is free")
        .isZero();
  }

  @Test
  void aCommandThatDoesNotStopIsKilledWhenItsTimeIsOver() throws Exception {
    Run run =
        tool.start(
            "elect",
            "leader",
            "--stop-timeout",
            "1s",
            "--",
            "sh",
            "-c",
            "trap '' TERM; echo begun >>" + log + "; while :; do sleep 0.1; done");
    until(() -> lines().contains("begun"));

    run.signal("TERM");

    assertThat(run.exitCode()).isEqualTo(137);
    assertThat(run.err()).contains("did not stop in time");
  }

  @Test
  void oneThatWaitsEndsAtOnceWhenItIsStopped() throws Exception {
    Run one = stand("one");
    until(() -> lines().contains("one serves"));
    Run two = stand("two");
    until(() -> two.err().contains("waiting for"));

    two.signal("TERM");

    assertThat(two.exitCode()).isEqualTo(143);
    one.signal("TERM");
    assertThat(one.exitCode()).isEqualTo(3);
    assertThat(lines()).containsExactly("one serves", "one stops");
  }

  /** Several may be given the same path, in the order in which they are started. */
  @Test
  void theReadyFileOfALeaderIsLeftToItAndThatOfOneThatWasKilledIsRemoved() throws Exception {
    Path ready = directory.resolve("ready");
    Run one = stand("one", "--ready-file", ready.toString());
    until(() -> lines().contains("one serves"));
    String ofOne = Files.readString(ready);

    Run two = stand("two", "--ready-file", ready.toString());
    until(() -> two.err().contains("waiting for"));
    assertThat(ready).hasContent(ofOne);
    two.signal("TERM");
    assertThat(two.exitCode()).isEqualTo(143);
    assertThat(ready).hasContent(ofOne);

    one.signal("KILL");
    one.exitCode();
    Run three = stand("three", "--ready-file", ready.toString());
    until(() -> three.err().contains("waiting for"));
    assertThat(ready).doesNotExist();
    three.signal("TERM");
    assertThat(three.exitCode()).isEqualTo(143);
  }

  @Test
  void aReadyFileThatCannotBeWrittenIsToldBeforeTheProcessStands() throws Exception {
    Run leads = stand("one");
    until(() -> lines().contains("one serves"));

    Run run =
        tool.run(
            "elect", "leader", "--ready-file", directory + "/missing/ready", "--", "echo", "x");

    assertThat(run.process().exitValue()).isEqualTo(64);
    assertThat(run.err()).contains("--ready-file", "no such directory");
    leads.signal("TERM");
    assertThat(leads.exitCode()).isEqualTo(3);
  }

  @Test
  void aReadyFileWhoseDirectoryVanishesIsNoReasonToGiveTheLeadUp() throws Exception {
    Path folder = Files.createDirectory(directory.resolve("ready"));
    Run run =
        tool.start(
            "elect",
            "leader",
            "--ready-file",
            folder.resolve("file").toString(),
            "--",
            "sh",
            "-c",
            "rm -rf ready; echo $HOLDFAST_TOKEN >>" + log);

    until(() -> lines().size() >= 3);

    run.signal("TERM");
    assertThat(run.exitCode()).isIn(143, 0);
    assertThat(lines()).as("the tokens of all runs").containsOnly(lines().get(0));
    assertThat(run.err()).contains("the ready file", "cannot be written");
  }

  @Test
  void whatCannotBeMeantIsRefused() throws Exception {
    Run run = tool.run("elect", "leader", "--on-exit", "stop", "--", "true");

    assertThat(run.process().exitValue()).isEqualTo(64);
    assertThat(run.err()).contains("'stop' is not restart, resign or exit");
  }
}
