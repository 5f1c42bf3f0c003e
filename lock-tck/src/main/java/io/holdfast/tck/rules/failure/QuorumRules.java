package io.holdfast.tck.rules.failure;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
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
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A holder may rely on the records of the store's quorum, and not on the belief of one server. */
@Topic(
    value = "QUO",
    level = Level.LOSS,
    clause = "LockBackend.renew: as durable as the store can make it")
public interface QuorumRules extends SpiRules {

  Duration QUICK = Duration.ofMillis(200);

  Duration SLOWEST = Duration.ofSeconds(30);

  /** That a call fails in a time in which it is never answered shows nothing. */
  private static Duration moreThanTakenBy(Consumer<Deadline> call) {
    Duration time = QUICK;
    while (true) {
      try {
        call.accept(Deadline.in(time));
        return time.multipliedBy(2);
      } catch (BackendFailure failure) {
        time = time.multipliedBy(2);
        if (time.compareTo(SLOWEST) > 0) {
          throw failure;
        }
      }
    }
  }

  private static void requireNoAnswer(Duration within, Consumer<Deadline> call) {
    assertThatThrownBy(() -> call.accept(Deadline.in(within)))
        .as("the answer without a quorum, in %s, where half as long is enough with one", within)
        .isInstanceOf(BackendFailure.class);
  }

  /** Else a holder on a server that was cut off would believe on while the others move on. */
  @Test
  @Rule(value = "HF-QUO-01", marked = 8)
  @Disturbs(QuorumControl.class)
  @Proves(Claim.GRANTS_SURVIVE_FAIL_OVER)
  default void aRenewalIsNotAnsweredBeforeTheQuorumHasIt() {
    QuorumControl store = fixture().control(QuorumControl.class);
    SpiClient client = fixture().client();
    Consumer<Deadline> renewal = deadline -> client.backend().renew(client.session(), deadline);
    Duration enough = moreThanTakenBy(renewal);

    store.withoutQuorum(() -> requireNoAnswer(enough, renewal));

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
    Consumer<Deadline> opening = deadline -> backend.open(StoreFixture.spec(LONG), deadline);
    Duration enough = moreThanTakenBy(opening);

    store.withoutQuorum(() -> requireNoAnswer(enough, opening));

    SpiClient.open(backend, LONG).hold(LOCK);
  }

  @Test
  @Rule(value = "HF-QUO-03", marked = 8)
  @Disturbs(QuorumControl.class)
  @Proves(Claim.GRANTS_SURVIVE_FAIL_OVER)
  default void aLookDoesNotTellWhatCanBeUndone() {
    QuorumControl store = fixture().control(QuorumControl.class);
    SpiClient client = fixture().client();
    Request before = client.waitingRequest(new LockName("before"));
    Duration enough = moreThanTakenBy(grab(client, before));
    Duration enoughToLook = moreThanTakenBy(look(client, before));
    Request request = client.waitingRequest(LOCK);

    store.withoutQuorum(
        () -> {
          requireNoAnswer(enough, grab(client, request));
          requireNoAnswer(enoughToLook, look(client, request));
        });

    client.hold(request);
    client.release(request);
    client.requireFree(LOCK);
  }

  private static Consumer<Deadline> grab(SpiClient client, Request request) {
    return deadline -> client.backend().grab(request, deadline);
  }

  private static Consumer<Deadline> look(SpiClient client, Request request) {
    return deadline -> client.backend().look(client.session(), List.of(request.key()), deadline);
  }
}
