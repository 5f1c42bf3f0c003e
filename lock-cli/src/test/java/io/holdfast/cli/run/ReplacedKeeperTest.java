package io.holdfast.cli.run;

import static io.holdfast.cli.run.Commands.TIMEOUT;
import static io.holdfast.cli.run.Commands.awaitText;
import static io.holdfast.cli.run.Commands.bash;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.FakeGrant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Not beside other tests: their keepers are children of this process too, and none is marked. */
class ReplacedKeeperTest {

  private static final Duration TTL = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  @AfterEach
  void stopThread() {
    thread.shutdownNow();
  }

  @Test
  void aKeeperThatWasKilledIsReplaced() throws Exception {
    // Those of tests before this one end by themselves.
    await().atMost(TIMEOUT).until(() -> keepers().isEmpty());
    Path out = directory.resolve("out");
    Signals signals = new Signals(Thread.currentThread());
    signals.endWaiting();
    LockedRun run = new LockedRun(new FakeGrant("demo", TTL, () -> {}), () -> TTL, new Silent());
    Future<Integer> running =
        thread.submit(
            () -> run.run(bash("echo $$ >" + out + "; sleep 1000; true"), env -> {}, signals));
    long group = Long.parseLong(awaitText(out));
    assertThat(keepers()).hasSize(1);
    ProcessHandle first = keepers().get(0);
    first.destroyForcibly();

    await().atMost(TIMEOUT).until(() -> keepers().stream().anyMatch(k -> !k.equals(first)));
    assertThat(ProcessTable.membersOf(group)).isNotEmpty();
    signals.received(Signal.TERM);

    assertThat(running.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(143);
    await().atMost(TIMEOUT).until(() -> keepers().isEmpty());
  }

  private static List<ProcessHandle> keepers() {
    return ProcessHandle.current()
        .children()
        .filter(
            child -> child.info().arguments().map(List::of).orElse(List.of()).contains("keeper"))
        .toList();
  }

  private static final class Silent implements LockedRun.Reporter {
    @Override
    public void note(String text) {}

    @Override
    public void error(String text) {}
  }
}
