package io.holdfast.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Waiter;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Records that change while they are read. */
class DeadlockSearchTest {

  private static final SessionId A = SessionId.fresh();
  private static final SessionId B = SessionId.fresh();
  private static final ProcessIdentity PROCESS = new ProcessIdentity("somebody");

  private final Queue<List<LockRecord>> readings = new ArrayDeque<>();

  @Test
  void whatIsThereTwiceIsTold() {
    List<LockRecord> records = List.of(lock("1", A, 1, B, 2), lock("2", B, 1, A, 2));
    readings.add(records);
    readings.add(records);

    List<Deadlock> found = found();

    assertThat(found).hasSize(1);
    assertThat(found.get(0).sessions()).containsExactlyInAnyOrder(A, B);
    assertThat(readings).isEmpty();
  }

  @Test
  void whereNothingIsSuspectedOneReadingIsEnough() {
    readings.add(List.of(lock("1", A, 1, B, 2)));

    assertThat(found()).isEmpty();
  }

  @Test
  void aCircleOfWaitsThatWereNotThereTogetherIsNone() {
    readings.add(List.of(lock("1", A, 1, B, 2), lock("2", B, 1, A, 2)));
    // Between the two, B had got its lock, and has come back for it.
    readings.add(List.of(lock("1", A, 1, B, 3), lock("2", B, 1, A, 2)));

    assertThat(found()).isEmpty();
  }

  private List<Deadlock> found() {
    return DeadlockSearch.in(() -> readings.remove().stream());
  }

  private static LockRecord lock(
      String name, SessionId holder, int holds, SessionId waiter, int waits) {
    Holder head =
        new Holder(
            new RequestId(holder, holds),
            LockMode.EXCLUSIVE,
            PROCESS,
            "",
            Payload.EMPTY,
            Instant.EPOCH,
            Liveness.LIVE,
            Optional.empty());
    Waiter next = new Waiter(new RequestId(waiter, waits), LockMode.EXCLUSIVE, PROCESS, "");
    return new LockRecord(new LockName(name), 1, Optional.of(head), List.of(next));
  }
}
