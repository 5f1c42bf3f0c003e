package io.holdfast.cli.run;

import static io.holdfast.cli.run.Commands.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.run.GroupSignal.Result;
import io.holdfast.cli.run.ProcessTable.Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessTableTest {

  @TempDir private Path directory;

  @Test
  void aProgramsNameMayHaveAnythingInIt() throws Exception {
    Path odd = directory.resolve("a) R (b 1");
    Files.copy(Path.of("/bin/sleep").toRealPath(), odd);
    Process process = new ProcessBuilder("setsid", odd.toString(), "1000").start();
    Entry expected = new Entry(process.pid(), "a) R (b 1");

    await().atMost(TIMEOUT).until(() -> ProcessTable.membersOf(process.pid()).contains(expected));
    process.destroyForcibly();
  }

  @Test
  void aGroupOfZombiesHasEnded() throws Exception {
    Path pid = directory.resolve("pid");
    // Its parent does not reap it, since it has become a program that knows nothing of it.
    Process parent =
        new ProcessBuilder("sh", "-c", "setsid sh -c 'echo $$ >" + pid + "' & exec sleep 1000")
            .start();
    long group = Long.parseLong(Commands.awaitText(pid));

    await().atMost(TIMEOUT).until(() -> stateOf(group) == 'Z');

    assertThat(ProcessTable.membersOf(group)).isEmpty();
    parent.destroyForcibly();
  }

  /** The first list of /proc has only the member that forks, which is gone when it is read. */
  @Test
  void aMemberIsSeenWhoseParentEndsMeanwhile() throws Exception {
    for (int i = 0; i < 40; i++) {
      Process leader = new ProcessBuilder("setsid", "sh", "-c", "((sleep 60 &) &) &").start();
      try {
        leader.waitFor();

        assertThat(ProcessTable.membersOf(leader.pid())).as("group %s", i).isNotEmpty();
      } finally {
        GroupSignal.send("KILL", leader.pid());
      }
    }
  }

  /** As after pthread_exit in main; these are the lines of such processes. */
  @Test
  void aProcessWhoseFirstThreadHasEndedRunsWhileOthersDo() {
    String one =
        "7431 (two) threads) Z 7430 7431 7431 34816 7431 4228108 118 0 0 0 0 0 0 0 20 0 %d 0 1 0 0";

    assertThat(ProcessTable.running(one.formatted(2), 7431))
        .contains(new Entry(7431, "two) threads"));
    assertThat(ProcessTable.running(one.formatted(1), 7431)).isEmpty();
    assertThat(ProcessTable.running(one.formatted(2), 7430)).isEmpty();
  }

  @Test
  void signalsTellWhetherThereWasAGroup() throws Exception {
    Process process = new ProcessBuilder("setsid", "sleep", "1000").start();
    await().atMost(TIMEOUT).until(() -> !ProcessTable.membersOf(process.pid()).isEmpty());

    assertThat(GroupSignal.send("0", process.pid())).isEqualTo(Result.SENT);
    assertThat(GroupSignal.send("KILL", process.pid())).isEqualTo(Result.SENT);
    assertThat(process.waitFor()).isEqualTo(128 + 9);
    assertThat(GroupSignal.send("TERM", process.pid())).isEqualTo(Result.NO_GROUP);
    assertThat(GroupSignal.send("NONSENSE", process.pid())).isEqualTo(Result.FAILED);
  }

  /** Small shells know fewer names of signals than the kernel has. */
  @Test
  void everySignalCanBeSent() throws Exception {
    for (Signal signal : Signal.values()) {
      Process process = new ProcessBuilder("setsid", "sleep", "1000").start();
      await().atMost(TIMEOUT).until(() -> !ProcessTable.membersOf(process.pid()).isEmpty());

      assertThat(GroupSignal.send(signal, process.pid())).as("%s", signal).isEqualTo(Result.SENT);

      process.destroyForcibly();
    }
  }

  private static char stateOf(long pid) throws Exception {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }
}
