package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether the number of a sequencer holds a lock, by the lock's record. */
class SequencerTest {

  private static final LockName NAME = new LockName("orders/42");

  private static Holder holder(LockMode mode, Liveness liveness, OptionalLong number) {
    return new Holder(
        new RequestId(SessionId.fresh(), 1),
        mode,
        new ProcessIdentity("host:4711"),
        "",
        Payload.EMPTY,
        Instant.EPOCH,
        liveness,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        number);
  }

  private static boolean holds(LockRecord record, LockMode mode, long number) {
    return record.isHeldWith(new Sequencer(NAME, mode, FencingToken.of(number, 3)));
  }

  /** One that has lapsed may be saved by a late renewal, and nobody else holds before it ends. */
  @ParameterizedTest
  @CsvSource({"LIVE,true", "STAYING,true", "LAPSED,true", "ENDED,false", "REVOCATION_DUE,false"})
  void aNumberHoldsUntilItsSessionIsOverOrItsRevocationIsDue(Liveness liveness, boolean holds) {
    LockRecord record =
        new LockRecord(
            NAME,
            7,
            List.of(holder(LockMode.EXCLUSIVE, liveness, OptionalLong.empty())),
            List.of());

    assertThat(holds(record, LockMode.EXCLUSIVE, 7)).isEqualTo(holds);
    assertThat(holds(record, LockMode.EXCLUSIVE, 6)).isFalse();
    assertThat(holds(record, LockMode.SHARED, 7)).isFalse();
  }

  @Test
  void aHolderMayHaveANumberOfItsOwn() {
    Holder first = holder(LockMode.SHARED, Liveness.LIVE, OptionalLong.of(7));
    Holder second = holder(LockMode.SHARED, Liveness.LIVE, OptionalLong.of(9));
    LockRecord record = new LockRecord(NAME, 7, List.of(first, second), List.of());

    assertThat(holds(record, LockMode.SHARED, 7)).isTrue();
    assertThat(holds(record, LockMode.SHARED, 8)).isFalse();
    assertThat(holds(record, LockMode.SHARED, 9)).isTrue();
  }

  @Test
  void theNumberOfAFreeLockHoldsNothing() {
    assertThat(holds(new LockRecord(NAME, 7, List.of(), List.of()), LockMode.EXCLUSIVE, 7))
        .isFalse();
  }
}
