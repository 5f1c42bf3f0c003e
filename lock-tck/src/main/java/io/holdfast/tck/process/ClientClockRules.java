package io.holdfast.tck.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.FencingToken;
import io.holdfast.ReleaseOutcome;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.process.actor.ActorCommand;
import io.holdfast.tck.process.actor.ActorHandle;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.server.ShiftedClock;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The wall clock of a holder's machine is set by an hour: that costs it one renewal at most, and no
 * other client gets its lock. Building the clock takes what servers take: tools of the system.
 */
@Topic(value = "CCK", level = Level.PROCESSES, clause = "docs/guarantees.md, Clocks")
public interface ClientClockRules extends ProcessRules {

  /** Of a holder that shall keep its lock on a slow machine too. */
  Duration HOLDERS_TTL = Duration.ofSeconds(6);

  /** Where the store has its clients' clock, it is set back for all of them. */
  @Test
  @Rule("HF-CCK-01")
  @Tag("server")
  default void aHolderWhoseClockIsSetBackKeepsItsLock() throws Exception {
    holdOver(processSubject(), Duration.ofHours(-1));
  }

  @Test
  @Rule("HF-CCK-02")
  @Tag("server")
  default void aHolderWhoseClockIsSetForwardKeepsItsLock() throws Exception {
    ProcessSubject subject = processSubject();
    NotApplicableException.unless(
        !subject.isEmbedded(), "The store's clock would be set too, beyond its bound.");
    holdOver(subject, Duration.ofHours(1));
  }

  private static void holdOver(ProcessSubject subject, Duration step) throws Exception {
    try (ShiftedClock clock = ShiftedClock.make()) {
      RecordedRun.perform(
          new SubjectWithTtl(subject, HOLDERS_TTL),
          run -> {
            // given
            ActorCommand holder = run.child("child", clock).hold(run.lock());
            FencingToken token = holder.awaitHolding();
            ActorHandle other = subject.isEmbedded() ? run.child("other", clock) : run.here("here");
            ActorCommand waiter = other.hold(run.lock());
            run.awaitQueued(waiter);

            // when
            clock.step(step);
            run.outliveLeases();

            // then
            assertThat(holder.hasLost()).as("whether the holder has lost the lock").isFalse();
            assertThat(waiter.isHolding()).as("whether the waiter holds the lock").isFalse();
            assertThat(holder.release()).isEqualTo(ReleaseOutcome.HANDED_ON);
            assertThat(waiter.awaitHolding()).isGreaterThan(token);
          });
    }
  }
}
