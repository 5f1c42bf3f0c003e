package io.holdfast.jdbc.postgres.cost;

import static io.holdfast.jdbc.postgres.PostgresSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
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

/** A lock that many share. */
final class SharedRun extends Crowd {
  private final Deque<Request> holders = new ArrayDeque<>();

  SharedRun(LockBackend backend, String name, int holders) {
    super(backend, name);
    for (int i = 0; i < holders; i++) {
      share();
    }
  }

  void share() {
    Request joining = next(IfHeld.QUEUE).with(LockMode.SHARED);
    assertThat(backend.grab(joining, soon())).isInstanceOf(Attempt.Granted.class);
    holders.addLast(joining);
  }

  void leave() {
    Request leaving = holders.removeFirst();
    assertThat(backend.release(leaving.name(), leaving.id(), soon())).isEqualTo(Released.SHARED);
  }

  @Override
  void round(Map<String, Count> costs, Statement statement) {
    Request writer = next(IfHeld.QUEUE);
    count(costs, "joining of a run", statement, this::share);
    count(costs, "leaving of a run", statement, this::leave);
    count(costs, "look of a holder", statement, () -> look(holders.getLast(), HOLDING));
    count(costs, "grab refused by a run", statement, this::beRefused);
    count(costs, "join behind a run", statement, () -> backend.grab(writer, soon()));
    count(costs, "look behind a run", statement, () -> look(writer, WAITING));
    count(
        costs,
        "withdrawal behind a run",
        statement,
        () -> backend.release(writer.name(), writer.id(), soon()));
    roundOfHolders(costs, statement);
  }

  private void roundOfHolders(Map<String, Count> costs, Statement statement) {
    Observed dead = observed(holders.getFirst());
    die(holders.removeFirst());
    count(costs, "overtake of a run", statement, () -> overtake(dead));
    share();
    Observed toRevoke = observed(holders.removeFirst());
    count(costs, "revocation in a run", statement, () -> revokeNow(toRevoke));
    share();
    Observed stays = observed(holders.getFirst());
    Request staying = holders.removeFirst();
    count(costs, "release that stays in a run", statement, () -> stay(staying));
    count(costs, "end of what stays in a run", statement, () -> endStay(stays));
    share();
  }

  private void overtake(Observed dead) {
    assertThat(backend.overtake(next(IfHeld.REFUSE), dead, soon()))
        .isInstanceOf(Attempt.Refused.class);
  }
}
