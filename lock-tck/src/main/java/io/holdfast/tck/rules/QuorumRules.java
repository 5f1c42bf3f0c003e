package io.holdfast.tck.rules;

import static io.holdfast.tck.rules.Bench.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.SessionSpec;
import io.holdfast.tck.store.QuorumControl;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a holder may rely on is what the store's quorum has, and not what one server believes. */
public interface QuorumRules extends SpiRules {

  private static Deadline shortly() {
    return Deadline.in(Duration.ofMillis(200));
  }

  /** Else a holder on a server that was cut off would believe on while the others move on. */
  @Test
  default void aRenewalIsNotAnsweredBeforeTheQuorumHasIt() {
    QuorumControl store = bench().control(QuorumControl.class);
    SpiClient client = bench().client();

    store.withoutQuorum(
        () ->
            assertThatThrownBy(() -> client.backend().renew(client.session(), shortly()))
                .isInstanceOf(BackendFailure.class));

    client.renewed();
  }

  @Test
  default void anOpeningIsNotAnsweredBeforeTheQuorumHasIt() {
    QuorumControl store = bench().control(QuorumControl.class);
    bench().client();
    LockBackend backend = bench().connect();
    SessionSpec spec = Bench.spec(LONG);

    store.withoutQuorum(
        () ->
            assertThatThrownBy(() -> backend.open(spec, shortly()))
                .isInstanceOf(BackendFailure.class));

    SpiClient.open(backend, LONG).hold(LOCK);
  }

  @Test
  default void aLookDoesNotTellWhatCanBeUndone() {
    QuorumControl store = bench().control(QuorumControl.class);
    SpiClient client = bench().client();
    Request request = client.patient(LOCK);

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
    assertThat(client.isFree(LOCK)).isTrue();
  }
}
