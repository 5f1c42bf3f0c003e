package io.holdfast.tck.rules.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.Resumed;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Proves;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import org.junit.jupiter.api.Test;

/** Going on with a session after a restart of the process, where a store can tell what it has. */
@Topic(value = "RSM", level = Level.CORE, clause = "ResumableSessions.resume")
public interface ResumeRules extends SpiRules {

  private ResumableSessions resumable(LockBackend backend) {
    return StoreFixture.requireResumable(backend);
  }

  @Test
  @Rule("HF-RSM-01")
  @Proves(Claim.RESUMABLE)
  default void anOrphanedSessionIsResumedWithWhatItHoldsAndWaitsFor() {
    SpiClient other = fixture().client();
    LockName awaited = new LockName("awaited");
    other.hold(awaited);
    LockBackend before = fixture().connect();
    SpiClient orphan = SpiClient.open(before, StoreFixture.LONG);
    Held held = orphan.hold(LOCK);
    Request waits = orphan.queue(awaited);
    Request released = orphan.request(new LockName("released"));
    orphan.release(orphan.hold(released));
    before.close();
    LockBackend after = fixture().connect();

    Resumed resumed = resumable(after).resume(orphan.session(), StoreFixture.soon()).orElseThrow();

    assertThat(resumed.ttl()).isPositive();
    assertThat(resumed.requests()).containsExactlyInAnyOrder(held.request().key(), waits.key());
    assertThat(orphan.on(after).holding(held.request())).isEqualTo(held);
    orphan.on(after).waiting(waits);
    orphan.on(after).renewed();
  }

  @Test
  @Rule("HF-RSM-02")
  default void anOrphanedSessionKeepsItsLocksUntilItsTtl() {
    LockBackend before = fixture().connect();
    ResumableSessions unused = resumable(before);
    SpiClient orphan = SpiClient.open(before, StoreFixture.LONG);
    Held held = orphan.hold(LOCK);

    before.close();

    assertThat(fixture().client().refused(LOCK).request()).isEqualTo(held.request().id());
  }

  @Test
  @Rule("HF-RSM-03")
  default void aSessionThatIsOverIsNotResumed() {
    LockBackend backend = fixture().connect();
    ResumableSessions sessions = resumable(backend);
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    client.hold(LOCK);
    client.on(fixture().connect()).closeSession();

    assertThat(sessions.resume(client.session(), StoreFixture.soon())).isEmpty();
    assertThat(sessions.resume(StoreFixture.spec().id(), StoreFixture.soon())).isEmpty();
  }
}
