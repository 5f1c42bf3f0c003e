package io.holdfast.benchmarks.counts;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.benchmarks.contender.LockPair;
import io.holdfast.benchmarks.contender.OpenContender;
import io.holdfast.benchmarks.contender.Party;
import io.holdfast.tck.faults.Verb;
import org.junit.jupiter.api.Test;

class CountedPairsTest {

  /** Its heartbeats are far apart: a lock is not given back because one of them is late. */
  private static final AcquireOptions OPTIONS = AcquireOptions.forever().ttl(Party.TTL);

  private static CountedPairs done(int times, AcquireOptions options) throws Exception {
    CountedPairs pairs = new CountedPairs("memory:counted-pairs", options);
    try (OpenContender open = pairs.open(1)) {
      LockPair pair = open.pair("lock");
      for (int i = 0; i < times; i++) {
        pair.takeAndGiveBack();
      }
    }
    assertThat(pairs.pairs()).isEqualTo(times);
    return pairs;
  }

  @Test
  void aPairAsksTheStoreTwice() throws Exception {
    assertThat(done(10, OPTIONS).calls())
        .containsEntry(Verb.GRAB, 10L)
        .containsEntry(Verb.RELEASE, 10L);
  }

  @Test
  void aCachedLockIsTakenAgainWithoutAskingTheStore() throws Exception {
    assertThat(done(1_000, OPTIONS.cached()).calls()).doesNotContainKeys(Verb.GRAB, Verb.RELEASE);
  }

  @Test
  void aCachedLockAsksTheStoreWhenTheTokensOfItsNumberAreUsedUp() throws Exception {
    assertThat(done(3 * FencingToken.LOCAL_PARTS, OPTIONS.cached()).calls())
        .containsEntry(Verb.GRAB, 3L);
  }
}
