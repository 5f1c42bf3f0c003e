package io.holdfast.tck.client.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.Sequencer;
import io.holdfast.record.RevokeWhen;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.client.ClientFixture;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import org.junit.jupiter.api.Test;

/** The store's answer about a token that a client shows. */
@Topic(value = "SEQ", level = Level.CORE, clause = "LockClient.isCurrent")
public interface SequencerRules extends ClientFixture {

  private static boolean isCurrent(TestClient asks, Sequencer sequencer) {
    return asks.client().isCurrent(sequencer);
  }

  @Test
  @Rule("HF-SEQ-01")
  default void aSequencerIsCurrentAsLongAsItsNumberHoldsTheLock() {
    TestClient one = client();
    TestClient other = client();
    Sequencer held = one.hold(NAME).sequencer();
    assertThat(isCurrent(other, held)).as("whether %s is current", held).isTrue();
    Sequencer inOtherMode = new Sequencer(held.name(), LockMode.SHARED, held.token());
    assertThat(isCurrent(other, inOtherMode)).as("whether %s is current", inOtherMode).isFalse();

    other.client().revoke(other.client().find(NAME).orElseThrow(), RevokeWhen.NOW);

    assertThat(isCurrent(one, held)).as("whether %s is current", held).isFalse();
    Grant next = other.hold(NAME);
    assertThat(isCurrent(one, held)).as("whether %s is current", held).isFalse();
    assertThat(isCurrent(one, next.sequencer())).as("the next one").isTrue();
    next.release();
    assertThat(isCurrent(one, next.sequencer())).as("the next one, released").isFalse();
  }

  @Test
  @Rule("HF-SEQ-02")
  default void eachOfThoseThatShareIsCurrentAndNoneIsOnceAWriterHolds() {
    NotApplicableException.unless(
        fixture().capabilities().modes().contains(LockMode.SHARED),
        "Locks of this store are exclusive.");
    AcquireOptions shared = AcquireOptions.within(longWait()).shared();
    Grant first = client().client().lock(NAME).acquire(shared);
    Grant second = client().client().lock(NAME).acquire(shared);
    TestClient writer = client();
    assertThat(isCurrent(writer, first.sequencer())).as("the first reader").isTrue();
    assertThat(isCurrent(writer, second.sequencer())).as("the second reader").isTrue();

    first.release();
    assertThat(isCurrent(writer, second.sequencer())).as("the second reader, alone").isTrue();
    second.release();
    Grant exclusive = writer.hold(NAME);

    assertThat(isCurrent(writer, first.sequencer())).as("the first reader").isFalse();
    assertThat(isCurrent(writer, second.sequencer())).as("the second reader").isFalse();
    assertThat(isCurrent(writer, exclusive.sequencer())).as("the writer").isTrue();
  }
}
