package io.holdfast.tck.rules.failure;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.SessionSpec;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Proves;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.store.Disturbs;
import io.holdfast.tck.store.QuorumControl;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a holder may rely on is what the store's quorum has, and not what one server believes. */
@Topic(
    value = "QUO",
    level = Level.LOSS,
    clause = "LockBackend.renew: as durable as the store can make it")
public interface QuorumRules extends SpiRules {

  private static Deadline shortly() {
    return Deadline.in(Duration.ofMillis(200));
  }

  /** Else a holder on a server that was cut off would believe on while the others move on. */
  @Test
  @Rule(value = "HF-QUO-01", marked = 8)
  @Disturbs(QuorumControl.class)
  @Proves(Claim.GRANTS_SURVIVE_FAIL_OVER)
  default void aRenewalIsNotAnsweredBeforeTheQuorumHasIt() {
    QuorumControl store = fixture().control(QuorumControl.class);
    SpiClient client = fixture().client();

    store.withoutQuorum(
        () ->
            assertThatThrownBy(() -> client.backend().renew(client.session(), shortly()))
                .isInstanceOf(BackendFailure.class));

    client.renewed();
  }

  @Test
  @Rule(value = "HF-QUO-02", marked = 8)
  @Disturbs(QuorumControl.class)
  @Proves(Claim.GRANTS_SURVIVE_FAIL_OVER)
  default void anOpeningIsNotAnsweredBeforeTheQuorumHasIt() {
    QuorumControl store = fixture().control(QuorumControl.class);
    fixture().client();
    LockBackend backend = fixture().connect();
    SessionSpec spec = StoreFixture.spec(LONG);

    store.withoutQuorum(
        () ->
            assertThatThrownBy(() -> backend.open(spec, shortly()))
                .isInstanceOf(BackendFailure.class));

    SpiClient.open(backend, LONG).hold(LOCK);
  }

  @Test
  @Rule(value = "HF-QUO-03", marked = 8)
  @Disturbs(QuorumControl.class)
  @Proves(Claim.GRANTS_SURVIVE_FAIL_OVER)
  default void aLookDoesNotTellWhatCanBeUndone() {
    QuorumControl store = fixture().control(QuorumControl.class);
    SpiClient client = fixture().client();
    Request request = client.waitingRequest(LOCK);

    store.withoutQuorum(
        () -> {
          assertThatThrownBy(() -> client.backend().grab(request, shortly()))
              .isInstanceOf(BackendFailure.class);
          assertThatThrownBy(
                  () -> client.backend().look(client.session(), List.of(request.key()), shortly()))
              .isInstanceOf(BackendFailure.class);
        });

    client.hold(request);
    client.release(request);
    client.requireFree(LOCK);
  }
}
