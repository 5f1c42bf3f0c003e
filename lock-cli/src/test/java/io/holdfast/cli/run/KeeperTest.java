package io.holdfast.cli.run;

import static io.holdfast.cli.run.Commands.PATIENCE;
import static io.holdfast.cli.run.Commands.awaitGroupGone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
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
    await().atMost(PATIENCE).until(() -> ProcessTable.membersOf(group.pid()).size() == 3);
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
    await().atMost(PATIENCE).until(() -> !keeper.isAlive());
  }

  @Test
  void killsTheWholeGroupWhenItsTimeHasCome() throws Exception {
    Keeper keeper = Keeper.start(BootClock.millis() + FAR);
    keeper.group(group.pid());

    keeper.until(BootClock.millis() + 300);

    awaitGroupGone(group.pid());
    await().atMost(PATIENCE).until(() -> !keeper.isAlive());
  }

  @Test
  void waitsForAsLongAsItIsToldAnotherTime() throws Exception {
    Keeper keeper = Keeper.start(BootClock.millis() + 1000);
    keeper.group(group.pid());
    long begin = BootClock.millis();

    while (BootClock.millis() < begin + 2000) {
      keeper.until(BootClock.millis() + 1000);
      assertThat(keeper.isAlive()).isTrue();
      TimeUnit.MILLISECONDS.sleep(100);
    }

    assertThat(group.isAlive()).isTrue();
    keeper.dismiss();
  }

  @Test
  void goesWithoutKillingWhenItIsDismissed() throws Exception {
    Keeper keeper = Keeper.start(BootClock.millis() + FAR);
    keeper.group(group.pid());

    keeper.dismiss();

    await().atMost(PATIENCE).until(() -> !keeper.isAlive());
    assertThat(ProcessTable.membersOf(group.pid())).hasSize(3);
  }

  @Test
  void isNotMovedByOtherSignals() throws Exception {
    Keeper keeper = Keeper.start(BootClock.millis() + FAR);
    keeper.group(group.pid());
    await().atMost(PATIENCE).until(() -> (ignored(keeper.pid()) & 0x4007) == 0x4007);

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
    await().atMost(PATIENCE).until(() -> Files.exists(directory.resolve("begun")));

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
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  private Process startProcess(long keeper, long tool) throws IOException {
    return new ProcessBuilder(
            "setsid",
            "bash",
            "--posix",
            "-c",
            Script.named("start.bash"),
            "holdfast",
            Long.toString(keeper),
            Long.toString(tool),
            "sh",
            "-c",
            "touch begun; sleep 1000; true")
        .directory(directory.toFile())
        .redirectError(Redirect.DISCARD)
        .start();
  }
}
