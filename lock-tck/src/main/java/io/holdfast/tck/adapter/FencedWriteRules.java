package io.holdfast.tck.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.Sequencer;
import io.holdfast.error.LockLostException;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RevokeWhen;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Writes of an application to the store that has its locks, each with a condition on a grant. */
@Topic(value = "FEN", level = Level.CORE, clause = "docs/guarantees.md, A lease is not a fence")
public interface FencedWriteRules {

  /** A condition that was made for a grant. */
  @FunctionalInterface
  interface Fenced {
    /** Writes under this condition, and returns whether it was met. */
    boolean write(String value) throws Exception;
  }

  /** Returns another client. */
  LockClient connect();

  /**
   * Makes the condition that a grant is held, in the mode that its sequencer has.
   *
   * @throws LockLostException if it is not
   */
  Fenced fencedBy(Sequencer sequencer);

  @Test
  @Rule("HF-FEN-01")
  default void aHolderWritesUntilItHasGivenBack() throws Exception {
    try (LockClient locks = connect()) {
      Grant grant = locks.lock("given back").acquire();
      Fenced held = fencedBy(grant.sequencer());

      assertThat(held.write("one")).as("whether %s was written", "one").isTrue();
      assertThat(held.write("two")).as("whether %s was written", "two").isTrue();
      grant.release();
      assertThat(held.write("three")).as("whether %s was written", "three").isFalse();
    }
  }

  @Test
  @Rule("HF-FEN-02")
  default void aHolderThatWasOvertakenWritesNothingAlthoughItBelieves() throws Exception {
    try (LockClient locks = connect();
        LockClient others = connect()) {
      // given
      Grant grant = locks.lock("overtaken").acquire();
      Fenced held = fencedBy(grant.sequencer());

      // when
      others.revoke(others.find("overtaken").orElseThrow(), RevokeWhen.NOW);
      Grant next = others.lock("overtaken").acquire();

      // then
      assertThat(held.write("stale")).as("whether %s was written", "stale").isFalse();
      assertThat(fencedBy(next.sequencer()).write("fresh"))
          .as("whether %s was written", "fresh")
          .isTrue();
      assertThatThrownBy(() -> fencedBy(grant.sequencer())).isInstanceOf(LockLostException.class);
    }
  }

  /** A copy of a write may arrive when those are at work whom the downgrade has let in. */
  @Test
  @Rule("HF-FEN-03")
  default void whatAnExclusiveHolderHasSentIsRefusedOnceItShares() throws Exception {
    try (LockClient locks = connect();
        LockClient others = connect()) {
      // given
      Grant grant = locks.lock("downgraded").acquire();
      Fenced exclusively = fencedBy(grant.sequencer());
      assertThat(exclusively.write("one")).as("whether %s was written", "one").isTrue();

      // when
      grant.downgrade();
      Grant reader = others.lock("downgraded").acquire(AcquireOptions.forever().shared());

      // then
      assertThat(exclusively.write("late")).as("whether %s was written", "late").isFalse();
      for (Grant sharing : List.of(grant, reader)) {
        Fenced held = fencedBy(sharing.sequencer());
        assertThat(held.write("shared")).as("whether %s was written", "shared").isTrue();
        sharing.release();
        assertThat(held.write("stale")).as("whether %s was written", "stale").isFalse();
      }
    }
  }

  @Test
  @Rule("HF-FEN-04")
  default void aHolderThatSharesIsNoExclusiveOneAnyMore() {
    try (LockClient locks = connect()) {
      Grant grant = locks.lock("was exclusive").acquire();
      Sequencer exclusive = grant.sequencer();
      grant.downgrade();

      assertThatThrownBy(() -> fencedBy(exclusive)).isInstanceOf(LockLostException.class);
    }
  }

  /** Its holder may work on for the time of the notice. */
  @Test
  @Rule("HF-FEN-05")
  default void oneThatIsRevokedWithNoticeWritesUntilThen() throws Exception {
    try (LockClient locks = connect();
        LockClient others = connect()) {
      Grant grant = locks.lock("noticed").acquire();
      LockRecord seen = others.find("noticed").orElseThrow();
      others.revokeIn(seen, seen.holders().get(0), Duration.ofHours(1));

      Fenced held = fencedBy(grant.sequencer());
      assertThat(held.write("in time")).as("whether %s was written", "in time").isTrue();
    }
  }
}
