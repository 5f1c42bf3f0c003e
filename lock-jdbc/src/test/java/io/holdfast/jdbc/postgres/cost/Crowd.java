package io.holdfast.jdbc.postgres.cost;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.postgres.PostgresSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Something with many requests. */
abstract class Crowd {

  /** Sessions outlive the test, so that each request can have one of its own. */
  static final Duration TTL = Duration.ofHours(1);

  static final Class<? extends Standing> WAITING = Standing.Waiting.class;
  static final Class<? extends Standing> HOLDING = Standing.Holding.class;

  final LockBackend backend;
  private final String name;

  Crowd(LockBackend backend, String name) {
    this.backend = backend;
    this.name = name;
  }

  final Request next(IfHeld ifHeld) {
    return request(session(backend, TTL), name, ifHeld);
  }

  final Observed observed(Request holder) {
    Standing standing = backend.look(holder.id().session(), List.of(holder.key()), soon()).get(0);
    return new Observed(holder.name(), ((Standing.Holding) standing).number(), holder.id());
  }

  final void die(Request request) {
    assertThat(backend.end(request.id().session(), EndIf.CLOSED, soon())).isEqualTo(Ended.OVER);
  }

  final void revokeNow(Observed holder) {
    assertThat(backend.revoke(holder, RevokeWhen.NOW, soon())).isEqualTo(new Revocation.Freed());
  }

  final void revokeSafely(Observed holder) {
    assertThat(backend.revoke(holder, RevokeWhen.SAFELY, soon()))
        .isInstanceOf(Revocation.Marked.class);
  }

  final void stay(Request holder) {
    assertThat(backend.releaseAfter(holder.key(), TTL, soon())).isEqualTo(Released.STAYS);
  }

  /** A revocation removes what stays. */
  final void endStay(Observed stays) {
    assertThat(backend.revoke(stays, RevokeWhen.SAFELY, soon())).isEqualTo(new Revocation.Freed());
  }

  final void look(Request looking, Class<? extends Standing> standing) {
    assertThat(backend.look(looking.id().session(), List.of(looking.key()), soon()))
        .singleElement()
        .isInstanceOf(standing);
  }

  final void beRefused() {
    assertThat(backend.grab(next(IfHeld.REFUSE), soon())).isInstanceOf(Attempt.Refused.class);
  }

  /** Goes through all steps once, and leaves as many requests as there were. */
  abstract void round(Map<String, Count> costs, Statement statement);

  /** Adds what a step costs. */
  static void count(Map<String, Count> costs, String step, Statement statement, Runnable body) {
    Count before = Count.now(statement);
    body.run();
    Count cost = Count.now(statement).minus(before);
    costs.merge(step, cost, Count::plus);
  }
}
