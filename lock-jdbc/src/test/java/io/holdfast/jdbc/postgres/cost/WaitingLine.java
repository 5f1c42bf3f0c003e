package io.holdfast.jdbc.postgres.cost;

import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.postgres.PostgresSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;

/** A lock that is held, and those who wait for it, in line. */
final class WaitingLine extends Crowd {
  private final Deque<Request> waiting = new ArrayDeque<>();
  private Request holder;

  WaitingLine(LockBackend backend, String name, int waiters) {
    super(backend, name);
    holder = next(IfHeld.QUEUE);
    take(backend, holder);
    for (int i = 0; i < waiters; i++) {
      join();
    }
  }

  void join() {
    Request joining = next(IfHeld.QUEUE);
    assertThat(backend.grab(joining, soon())).isInstanceOf(Attempt.Queued.class);
    waiting.addLast(joining);
  }

  void withdraw(Request leaving) {
    assertThat(backend.release(leaving.name(), leaving.id(), soon()))
        .isEqualTo(Released.WAS_WAITING);
    waiting.remove(leaving);
  }

  void handOver() {
    assertThat(backend.release(holder.name(), holder.id(), soon())).isEqualTo(Released.HANDED_ON);
    holder = waiting.removeFirst();
  }

  @Override
  void round(Map<String, Count> costs, Statement statement) {
    count(costs, "join", statement, this::join);
    count(costs, "look of the last", statement, () -> look(waiting.getLast(), WAITING));
    count(costs, "look of the first", statement, () -> look(waiting.getFirst(), WAITING));
    count(costs, "refused grab", statement, this::beRefused);
    count(costs, "withdrawal", statement, () -> withdraw(waiting.getLast()));
    count(costs, "hand-over", statement, this::handOver);
    join();
    roundOfHolders(costs, statement);
  }

  private void roundOfHolders(Map<String, Count> costs, Statement statement) {
    Observed dead = observed(holder);
    die(holder);
    count(costs, "overtake", statement, () -> overtake(dead));
    nextHolds();
    Observed toRevoke = observed(holder);
    count(costs, "revocation at once", statement, () -> revokeNow(toRevoke));
    nextHolds();
    Observed told = observed(holder);
    count(costs, "revocation", statement, () -> revokeSafely(told));
    handOver();
    join();
    Observed stays = observed(holder);
    count(costs, "release that stays", statement, () -> stay(holder));
    count(costs, "end of what stays", statement, () -> endStay(stays));
    nextHolds();
    count(costs, "downgrade", statement, this::downgrade);
    handOver();
    join();
  }

  private void overtake(Observed dead) {
    assertThat(backend.overtake(waiting.getLast(), dead, soon())).isEqualTo(new Attempt.Queued());
  }

  private void downgrade() {
    assertThat(backend.downgrade(holder.key(), soon())).isPresent();
  }

  /** The holder has been removed. */
  private void nextHolds() {
    holder = waiting.removeFirst();
    join();
  }
}
