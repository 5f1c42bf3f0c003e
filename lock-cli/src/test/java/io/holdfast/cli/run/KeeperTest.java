package io.holdfast.cli.run;

import static io.holdfast.cli.run.Commands.TIMEOUT;
import static io.holdfast.cli.run.Commands.awaitGroupGone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeeperTest {

  private static final long FAR = 1_000_000;

  @TempDir private Path directory;
  private Process group;

  @BeforeEach
  void startGroup() throws IOException {
    group = new ProcessBuilder("setsid", "sh", "-c", "sleep 1000 & sleep 1000; true").start();
    await().atMost(TIMEOUT).until(() -> ProcessTable.membersOf(group.pid()).size() == 3);
  }

  @AfterEach
  void killGroup() {
    GroupSignal.send("KILL", group.pid());
  }

  @Test
  void killsTheWholeGroupAtTheEndOfThePipe() throws Exception {
    Keeper keeper = Keeper.start(BootClock.millis() + FAR);
    keeper.group(group.pid());

    keeper.close();

    awaitGroupGone(group.pid());
    await().atMost(TIMEOUT).until(() -> !keeper.isAlive());
  }

  /** The group's first process opens the keeper's standard input, which must be the pipe then. */
  @Test
  void theGroupCanBeReportedToItAtAnyTime() throws Exception {
    Keeper keeper = Keeper.start(BootClock.millis() + FAR);
    Path input = Path.of("/proc/" + keeper.pid() + "/fd/0");

    for (int i = 1; i <= 5_000; i++) {
      keeper.until(BootClock.millis() + FAR + 10L * i); // Has it look at the clock.
      assertThat(Files.readSymbolicLink(input).toString()).startsWith("pipe:");
    }

    keeper.dismiss();
  }

  @Test
  void killsTheWholeGroupWhenItsTimeHasCome() throws Exception {
    Keeper keeper = Keeper.start(BootClock.millis() + FAR);
    keeper.group(group.pid());

    keeper.until(BootClock.millis() + 300);

    awaitGroupGone(group.pid());
    await().atMost(TIMEOUT).until(() -> !keeper.isAlive());
  }

  @Test
  void waitsForAsLongAsItIsToldAnotherTime() throws Exception {
    // So late that it is told in time on a slow machine.
    long first = BootClock.millis() + 5000;
    Keeper keeper = Keeper.start(first);
    keeper.group(group.pid());
    keeper.until(BootClock.millis() + FAR);

    await().atMost(TIMEOUT).until(() -> BootClock.millis() > first + 500);

    assertThat(keeper.isAlive()).isTrue();
    assertThat(group.isAlive()).isTrue();
    keeper.dismiss();
  }

  @Test
  void goesWithoutKillingWhenItIsDismissed() throws Exception {
    Keeper keeper = Keeper.start(BootClock.millis() + FAR);
    keeper.group(group.pid());

    keeper.dismiss();

    await().atMost(TIMEOUT).until(() -> !keeper.isAlive());
    assertThat(ProcessTable.membersOf(group.pid())).hasSize(3);
  }

  @Test
  void isNotMovedByOtherSignals() throws Exception {
    Keeper keeper = Keeper.start(BootClock.millis() + FAR);
    keeper.group(group.pid());
    await().atMost(TIMEOUT).until(() -> (ignored(keeper.pid()) & 0x4007) == 0x4007);

    for (String signal : List.of("HUP", "INT", "QUIT", "TERM")) {
      assertThat(GroupSignal.send(signal, keeper.pid())).isEqualTo(GroupSignal.Result.SENT);
    }
    keeper.close();

    awaitGroupGone(group.pid());
  }

  @Test
  void withoutAKeeperTheCommandNeverBegins() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();

    assertThat(start(dead.pid(), ProcessHandle.current().pid())).isEqualTo(71);

    assertThat(directory.resolve("begun")).doesNotExist();
  }

  @Test
  void withoutTheToolTheCommandNeverBegins() throws Exception {
    Process dead = new ProcessBuilder("true").start();
    dead.waitFor();
    Keeper keeper = Keeper.start(BootClock.millis() + FAR);

    assertThat(start(keeper.pid(), dead.pid())).isEqualTo(71);

    assertThat(directory.resolve("begun")).doesNotExist();
    keeper.dismiss();
  }

  @Test
  void theCommandBeginsWithTheKeeperKnowingItsGroup() throws Exception {
    Keeper keeper = Keeper.start(BootClock.millis() + FAR);
    Process command = startProcess(keeper.pid(), ProcessHandle.current().pid());
    await().atMost(TIMEOUT).until(() -> Files.exists(directory.resolve("begun")));

    keeper.close();

    awaitGroupGone(command.pid());
  }

  @Test
  void theKeeperLearnsOfAGroupWhoseUserHasAnEchoOfTheirOwn() throws Exception {
    Keeper keeper = Keeper.start(BootClock.millis() + FAR);
    ProcessBuilder builder = starter(keeper.pid(), ProcessHandle.current().pid());
    builder.environment().put("BASH_FUNC_echo%%", "() { :; }");
    Process command = builder.start();
    await().atMost(TIMEOUT).until(() -> Files.exists(directory.resolve("begun")));

    await().atMost(Duration.ofSeconds(20)).until(() -> keeper.group().isPresent());

    assertThat(keeper.group()).hasValue(command.pid());
    keeper.close();
    awaitGroupGone(command.pid());
  }

  /** Returns the set of signals that a process ignores, a bit for each. */
  private static long ignored(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
        .filter(line -> line.startsWith("SigIgn:"))
        .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
        .sum();
  }

  private int start(long keeper, long tool) throws Exception {
    Process process = startProcess(keeper, tool);
    assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  private Process startProcess(long keeper, long tool) throws IOException {
    return starter(keeper, tool).start();
  }

  private ProcessBuilder starter(long keeper, long tool) {
    List<String> words = new ArrayList<>(List.of("setsid"));
    words.addAll(Script.shell("start.bash"));
    words.addAll(List.of(Long.toString(keeper), Long.toString(tool)));
    words.addAll(List.of("sh", "-c", "touch begun; sleep 1000; true"));
    return new ProcessBuilder(words).directory(directory.toFile()).redirectError(Redirect.DISCARD);
  }
}
