package io.holdfast.tck.rules.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.spi.Capabilities.Losses;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.EngineSteps;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.SpiRules;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.Disturbs;
import io.holdfast.tck.store.FailOverControl;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/**
 * The store has lost a grant that followed a run of shared ones, and shows that run. Its number is
 * below the lost one, so no further request may get it.
 */
@Topic(value = "SFO", level = Level.LOSS, clause = "LockBackend.grab")
public interface SharedFailOverRules extends SpiRules {

  /** Loses a writer's grant that followed a run, and returns that grant. */
  private Held loseTheWriterAfterARun() {
    NotApplicableException.unless(
        fixture().capabilities().modes().contains(LockMode.SHARED),
        "Locks of this store are exclusive.");
    fixture().requireLosses(EnumSet.of(Losses.GUARDED, Losses.UNGUARDED));
    FailOverControl store = fixture().control(FailOverControl.class);
    SpiClient client = GuardSteps.client(fixture());
    Held run = client.share(LOCK);
    Held[] writer = new Held[1];
    store.failOverLosing(
        () -> {
          client.release(run);
          writer[0] = client.hold(LOCK);
        });
    return writer[0];
  }

  @Test
  @Rule(value = "HF-SFO-01", marked = 17)
  @Disturbs({FailOverControl.class, ClockControl.class})
  default void aRunFromBeforeALossIsNotJoined() {
    Held lost = loseTheWriterAfterARun();
    SpiClient reader = GuardSteps.client(fixture());
    GuardSteps.outlastAny(fixture(), reader);

    Request request = reader.sharedRequest(LOCK);
    Held held =
        reader.grab(request) instanceof Attempt.Granted granted
            ? new Held(request, granted.number())
            : EngineSteps.overtakeUntilGranted(reader, request);

    assertThat(held.number()).isGreaterThan(lost.number());
  }

  @Test
  @Rule(value = "HF-SFO-02", marked = 17)
  @Disturbs({FailOverControl.class, ClockControl.class})
  default void aRunFromBeforeALossIsNotExtendedByAWithdrawal() {
    Held lost = loseTheWriterAfterARun();
    SpiClient reader = GuardSteps.client(fixture());
    GuardSteps.outlastAny(fixture(), reader);

    Request writer = reader.waitingRequest(LOCK);
    if (reader.grab(writer) instanceof Attempt.Queued) {
      Request behind = reader.queueShared(LOCK);
      reader.release(writer);
      if (reader.standing(behind) instanceof Standing.Waiting) {
        EngineSteps.overtakeUntilGranted(reader, behind);
      }
      assertThat(reader.holding(behind).number()).isGreaterThan(lost.number());
    }
  }
}
