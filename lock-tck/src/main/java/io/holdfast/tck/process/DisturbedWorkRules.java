package io.holdfast.tck.process;

import io.holdfast.tck.claim.Level;
import io.holdfast.tck.process.actor.ActorCommand;
import io.holdfast.tck.process.actor.ActorHandle;
import io.holdfast.tck.process.actor.ChildActor;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Soak;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Random work of processes that are killed (SIGKILL) and paused (SIGSTOP) meanwhile. */
@Topic(value = "DWK", level = Level.PROCESSES, clause = "docs/guarantees.md, Nobody is stranded")
public interface DisturbedWorkRules extends ProcessRules {

  /** Random work of three JVMs, of which one is killed and one is paused past its lease. */
  @Test
  @Rule("HF-DWK-01")
  default void processesThatAreKilledAndPausedAtWorkDoNoHarm() throws Exception {
    disturbProcesses(1);
  }

  /** The same again and again. */
  @Test
  @Rule("HF-DWK-02")
  @Soak
  default void processesThatAreKilledAndPausedAtWorkDoNoHarmForLong() throws Exception {
    disturbProcesses(20);
  }

  private void disturbProcesses(int rounds) throws Exception {
    RecordedRun.perform(
        processSubject(),
        run -> {
          ActorHandle here = run.here("here");
          for (int round = 1; round <= rounds; round++) {
            Duration duration = run.ttl().plus(run.goneAfter());
            ChildActor killed = run.child("killed" + round);
            ChildActor paused = run.child("paused" + round);
            ActorCommand workHere = here.work(run.work(2, 1, duration, 3 * round));
            killed.work(run.work(2, 2, duration, 3 * round + 1));
            ActorCommand workOfPaused = paused.work(run.work(2, 2, duration, 3 * round + 2));

            TimeUnit.NANOSECONDS.sleep(run.ttl().dividedBy(2).toNanos());
            killed.kill();
            paused.pause();
            run.outliveLeases();
            paused.resume();

            workOfPaused.awaitWorked(duration);
            workHere.awaitWorked(duration);
            paused.leave();
          }
        });
  }
}
