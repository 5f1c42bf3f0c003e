package io.holdfast.tck.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.Resumed;
import io.holdfast.tck.report.Claim;
import io.holdfast.tck.report.Level;
import io.holdfast.tck.report.Proves;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import org.junit.jupiter.api.Test;

/** Going on with a session after a restart of the process, where a store can tell what it has. */
@Topic(value = "RSM", level = Level.CORE, clause = "ResumableSessions.resume")
public interface ResumeRules extends SpiRules {

  private ResumableSessions resumable(LockBackend backend) {
    return Bench.requireResumable(backend);
  }

  @Test
  @Rule("HF-RSM-01")
  @Proves(Claim.RESUMABLE)
  default void anOrphanedSessionIsResumedWithWhatItHoldsAndWaitsFor() {
    SpiClient other = bench().client();
    LockName awaited = new LockName("awaited");
    other.hold(awaited);
    LockBackend before = bench().connect();
    SpiClient orphan = SpiClient.open(before, Bench.LONG);
    Held held = orphan.hold(LOCK);
    Request waits = orphan.queue(awaited);
    Request released = orphan.request(new LockName("released"));
    orphan.release(orphan.hold(released));
    before.close();
    LockBackend after = bench().connect();

    Resumed resumed = resumable(after).resume(orphan.session(), Bench.soon()).orElseThrow();

    assertThat(resumed.ttl()).isPositive();
    assertThat(resumed.requests()).containsExactlyInAnyOrder(held.request().key(), waits.key());
    assertThat(orphan.on(after).holding(held.request())).isEqualTo(held);
    orphan.on(after).waiting(waits);
    orphan.on(after).renewed();
  }

  @Test
  @Rule("HF-RSM-02")
  default void anOrphanedSessionKeepsItsLocksUntilItsTtl() {
    LockBackend before = bench().connect();
    ResumableSessions unused = resumable(before);
    SpiClient orphan = SpiClient.open(before, Bench.LONG);
    Held held = orphan.hold(LOCK);

    before.close();

    assertThat(bench().client().refused(LOCK).request()).isEqualTo(held.request().id());
  }

  @Test
  @Rule("HF-RSM-03")
  default void aSessionThatIsOverIsNotResumed() {
    LockBackend backend = bench().connect();
    ResumableSessions sessions = resumable(backend);
    SpiClient client = SpiClient.open(backend, Bench.LONG);
    client.hold(LOCK);
    client.on(bench().connect()).closeSession();

    assertThat(sessions.resume(client.session(), Bench.soon())).isEmpty();
    assertThat(sessions.resume(Bench.spec().id(), Bench.soon())).isEmpty();
  }
}
