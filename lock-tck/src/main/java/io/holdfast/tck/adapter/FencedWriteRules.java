package io.holdfast.tck.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.error.LockLostException;
import io.holdfast.record.RevokeWhen;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
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

  /** Makes the condition that a grant is held. */
  Fenced fencedBy(Grant grant);

  @Test
  @Rule("HF-FEN-01")
  default void aHolderWritesUntilItHasGivenBack() throws Exception {
    try (LockClient locks = connect()) {
      Grant grant = locks.lock("given back").acquire();
      Fenced held = fencedBy(grant);

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
      Fenced held = fencedBy(grant);

      // when
      others.revoke(others.find("overtaken").orElseThrow(), RevokeWhen.NOW);
      Grant next = others.lock("overtaken").acquire();

      // then
      assertThat(held.write("stale")).as("whether %s was written", "stale").isFalse();
      assertThat(fencedBy(next).write("fresh")).as("whether %s was written", "fresh").isTrue();
      assertThatThrownBy(() -> fencedBy(grant)).isInstanceOf(LockLostException.class);
    }
  }
}
