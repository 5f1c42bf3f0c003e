package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.mongo.imitation.InjectedFault;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A client that repeats each verb until it gets an answer, as the engine does, beside a witness
 * without errors.
 */
final class FaultyScenario {

  private static final LockName LOCK = new LockName("orders/42");
  private static final Duration TTL = Duration.ofSeconds(20);
  private static final int TRIES_MAX = 4;

  /** What the client does. Before a part it opens a session, and afterwards nothing is held. */
  enum Part {
    OPENS,
    GIVES_BACK_LATER,
    OVERTAKES_AFTER_A_DELAY,
    HANDS_ON,
    WAITS_AND_IS_REVOKED,
    OVERTAKES_AND_SHARES,
    ENDS_A_LAPSED_SESSION,
    LOOKS_ON_AND_ENDS,
    SWEEPS
  }

  /** Makes a backend. */
  interface Opener {
    LockBackend open(BackendOptions options, Deadline deadline);
  }

  private final Opener faulty;
  private final Opener witnessing;
  private final Consumer<Duration> clock;
  private long serial;
  private volatile @Nullable InjectedFault met;
  private volatile boolean changed;
  private volatile boolean inItsPart;

  FaultyScenario(Opener faulty, Opener witnessing, Consumer<Duration> clock) {
    this.faulty = faulty;
    this.witnessing = witnessing;
    this.clock = clock;
  }

  /** A command has met an error. */
  void meets(InjectedFault fault, BsonDocument command) {
    changed = fault.isDone() && ErrorInjectionTest.isWrite(command);
    met = fault;
  }

  /** Returns whether commands are those of the part, and not what comes before or after it. */
  boolean isInItsPart() {
    return inItsPart;
  }

  private static Deadline soon() {
    return Deadline.in(Duration.ofSeconds(20));
  }

  /** Repeats a call until it succeeds, and checks that its failures report the right effect. */
  private <T> T answered(Supplier<T> call) {
    for (int left = TRIES_MAX; left > 0; left--) {
      met = null;
      try {
        return call.get();
      } catch (BackendFailure e) {
        assertThat(met).as("an error without cause: %s", e.getMessage()).isNotNull();
        if (changed) {
          assertThat(e.effect()).as("effect of %s", e.getMessage()).isEqualTo(Effect.UNKNOWN);
        }
      } catch (BackendUnusableException e) {
        assertThat(met).as(e.getMessage()).isEqualTo(InjectedFault.NO_PRIVILEGE);
      }
    }
    throw new AssertionError("Not answered in " + TRIES_MAX + " attempts.");
  }

  private static SessionSpec spec() {
    return new SessionSpec(SessionId.fresh(), TTL, 0, new ProcessIdentity("test:1"));
  }

  private Request request(SessionId session, IfHeld ifHeld) {
    return Request.of(LOCK, new RequestId(session, ++serial), new ProcessIdentity("test:1"))
        .with(ifHeld);
  }

  private static long number(Attempt attempt) {
    assertThat(attempt).isInstanceOf(Attempt.Granted.class);
    return ((Attempt.Granted) attempt).number();
  }

  private static long held(LockBackend backend, Request request) {
    Standing standing = backend.look(request.id().session(), List.of(request.key()), soon()).get(0);
    assertThat(standing).isInstanceOf(Standing.Holding.class);
    return ((Standing.Holding) standing).number();
  }

  void play(Part part) {
    inItsPart = part == Part.OPENS;
    LockBackend client = answered(() -> faulty.open(BackendOptions.DEFAULTS, soon()));
    LockBackend witness = witnessing.open(BackendOptions.DEFAULTS, soon());
    // After a failed opening, another id is used.
    SessionId mine =
        answered(
            () -> {
              SessionSpec spec = spec();
              client.open(spec, soon());
              return spec.id();
            });
    SessionId other = opened(witness);
    renewed(client, mine);
    long last = play(part, client, witness, mine, other);
    requireUsable(witness, last);
  }

  /** Plays a part with two sessions, and returns the last number that was granted. */
  private long play(
      Part part, LockBackend client, LockBackend witness, SessionId mine, SessionId other) {
    inItsPart = part != Part.OPENS;
    try {
      return switch (part) {
        case OPENS -> 0;
        case GIVES_BACK_LATER -> given(client, witness, mine);
        case OVERTAKES_AFTER_A_DELAY -> diedWithADelay(client, witness, mine);
        case HANDS_ON -> takenAndHandedOn(client, witness, mine, other);
        case WAITS_AND_IS_REVOKED -> awaitedAndRevoked(client, witness, mine, other);
        case OVERTAKES_AND_SHARES -> overtaken(client, witness, mine, other);
        case ENDS_A_LAPSED_SESSION -> lapsedAndEnded(client, witness, mine, other);
        case LOOKS_ON_AND_ENDS -> lookedAtAndEnded(client, witness, mine, other);
        case SWEEPS -> swept(client, witness, mine);
      };
    } finally {
      inItsPart = false;
    }
  }

  /** Nothing of the part is left in anyone's way. */
  private void requireUsable(LockBackend witness, long last) {
    Request takes = request(opened(witness), IfHeld.REFUSE);
    assertThat(number(witness.grab(takes, soon()))).isGreaterThan(last);
    assertThat(witness.release(LOCK, takes.id(), soon())).isEqualTo(Released.FREED);
  }

  private static SessionId opened(LockBackend backend) {
    SessionSpec spec = spec();
    backend.open(spec, soon());
    return spec.id();
  }

  private Renewed.Alive renewed(LockBackend client, SessionId session) {
    Renewed answer = answered(() -> client.renew(session, soon()));
    assertThat(answer).isInstanceOf(Renewed.Alive.class);
    return (Renewed.Alive) answer;
  }

  /** Gives a lock back that stays taken, and another after a notice. */
  private long given(LockBackend client, LockBackend witness, SessionId mine) {
    Request held = request(mine, IfHeld.REFUSE);
    long number = number(answered(() -> client.grab(held, soon())));
    assertThat(answered(() -> client.releaseAfter(held.key(), Duration.ofHours(1), soon())))
        .isEqualTo(Released.STAYS);
    assertThat(holder(witness).liveness()).isEqualTo(Liveness.STAYING);
    assertThat(answered(() -> client.look(mine, List.of(held.key()), soon())))
        .containsExactly(new Standing.Absent());
    Observed stays = new Observed(LOCK, number, held.id());
    assertThat(answered(() -> client.revoke(stays, RevokeWhen.SAFELY, soon())))
        .isIn(new Revocation.Freed(), new Revocation.Changed());

    Request told = request(mine, IfHeld.REFUSE);
    Observed seen =
        new Observed(LOCK, number(answered(() -> client.grab(told, soon()))), told.id());
    assertThat(answered(() -> client.revokeIn(seen, Duration.ofHours(1), soon())))
        .isInstanceOf(Revocation.Marked.class);
    assertThat(renewed(client, mine).notices())
        .singleElement()
        .isInstanceOfSatisfying(
            Notice.Revoked.class, notice -> assertThat(notice.left()).isPositive());
    answered(
        () -> {
          client.acknowledge(told.id(), soon());
          return true;
        });
    assertThat(answered(() -> client.releaseAfter(told.key(), Duration.ofHours(1), soon())))
        .isIn(Released.FREED, Released.NOTHING);
    return seen.number();
  }

  private static Holder holder(LockBackend witness) {
    return witness.inspect(LOCK, soon()).orElseThrow().holder().orElseThrow();
  }

  private long diedWithADelay(LockBackend client, LockBackend witness, SessionId mine) {
    SessionId dead = opened(witness);
    Request left = request(dead, IfHeld.REFUSE).lockDelay(Duration.ofHours(1));
    Observed observed = new Observed(LOCK, number(witness.grab(left, soon())), left.id());
    witness.end(dead, EndIf.CLOSED, soon());
    Request overtakes = request(mine, IfHeld.REFUSE);
    assertThat(answered(() -> client.overtake(overtakes, observed, soon())))
        .isInstanceOf(Attempt.Refused.class);
    assertThat(holder(witness).liveness()).isEqualTo(Liveness.STAYING);
    clock.accept(Duration.ofHours(1).plusSeconds(1));
    // No other session has lived for so long.
    Request later = request(opened(witness), IfHeld.REFUSE);
    long number = number(answered(() -> client.overtake(later, observed, soon())));
    answered(() -> client.release(LOCK, later.id(), soon()));
    return number;
  }

  private long takenAndHandedOn(
      LockBackend client, LockBackend witness, SessionId mine, SessionId other) {
    Request taken = request(mine, IfHeld.REFUSE);
    long number = number(answered(() -> client.grab(taken, soon())));
    assertThat(held(witness, taken)).isEqualTo(number);
    assertThat(answered(() -> held(client, taken))).isEqualTo(number);

    Request refused = request(mine, IfHeld.REFUSE);
    assertThat(answered(() -> client.grab(refused, soon()))).isInstanceOf(Attempt.Refused.class);

    Request waits = request(other, IfHeld.QUEUE);
    assertThat(witness.grab(waits, soon())).isEqualTo(new Attempt.Queued());
    assertThat(answered(() -> client.release(LOCK, taken.id(), soon())))
        .isIn(Released.HANDED_ON, Released.NOTHING);
    long next = held(witness, waits);
    assertThat(next).isGreaterThan(number);
    assertThat(witness.release(LOCK, waits.id(), soon())).isEqualTo(Released.FREED);
    return next;
  }

  /** The other holds, at first. */
  private long awaitedAndRevoked(
      LockBackend client, LockBackend witness, SessionId mine, SessionId other) {
    Request holder = request(other, IfHeld.REFUSE);
    long before = number(witness.grab(holder, soon()));
    Request gaveUp = request(mine, IfHeld.QUEUE);
    assertThat(answered(() -> client.grab(gaveUp, soon()))).isEqualTo(new Attempt.Queued());
    assertThat(answered(() -> client.release(LOCK, gaveUp.id(), soon())))
        .isIn(Released.WAS_WAITING, Released.NOTHING);
    assertThat(witness.look(mine, List.of(gaveUp.key()), soon()))
        .containsExactly(new Standing.Absent());

    Request waits = request(mine, IfHeld.QUEUE);
    assertThat(answered(() -> client.grab(waits, soon()))).isEqualTo(new Attempt.Queued());
    assertThat(answered(() -> client.look(mine, List.of(waits.key()), soon())))
        .singleElement()
        .isInstanceOfSatisfying(
            Standing.Waiting.class,
            waiting -> {
              assertThat(waiting.ahead()).isEqualTo(1);
              assertThat(waiting.obstacles()).isEmpty();
            });
    assertThat(holder(witness).request()).isEqualTo(holder.id());
    witness.release(LOCK, holder.id(), soon());
    long number = answered(() -> held(client, waits));
    assertThat(number).isGreaterThan(before);

    Observed observed = new Observed(LOCK, number, waits.id());
    answered(() -> client.revoke(observed, RevokeWhen.SAFELY, soon()));
    assertThat(renewed(client, mine).notices()).containsExactly(new Notice.Revoked(waits.id()));
    answered(() -> client.revoke(observed, RevokeWhen.NOW, soon()));
    assertThat(witness.inspect(LOCK, soon()).orElseThrow().holder()).isEmpty();
    assertThat(renewed(client, mine).notices()).containsExactly(new Notice.Revoked(waits.id()));
    answered(
        () -> {
          client.acknowledge(waits.id(), soon());
          return true;
        });
    assertThat(renewed(client, mine).notices()).isEmpty();
    return number;
  }

  private long overtaken(LockBackend client, LockBackend witness, SessionId mine, SessionId other) {
    SessionId dead = opened(witness);
    Request left = request(dead, IfHeld.REFUSE);
    long number = number(witness.grab(left, soon()));
    witness.end(dead, EndIf.CLOSED, soon());
    Request overtakes = request(mine, IfHeld.REFUSE);
    Observed observed = new Observed(LOCK, number, left.id());
    long next = number(answered(() -> client.overtake(overtakes, observed, soon())));
    assertThat(next).isGreaterThan(number);
    assertThat(held(witness, overtakes)).isEqualTo(next);
    return sharedAndLeft(client, witness, overtakes, other, next);
  }

  /** The client shares with itself what it held alone, while the other waits. */
  private long sharedAndLeft(
      LockBackend client, LockBackend witness, Request holds, SessionId other, long before) {
    long number = answered(() -> client.downgrade(holds.key(), soon())).orElseThrow();
    assertThat(number).isGreaterThan(before);
    assertThat(held(witness, holds)).isEqualTo(number);
    Request joins = request(holds.id().session(), IfHeld.REFUSE).with(LockMode.SHARED);
    assertThat(number(answered(() -> client.grab(joins, soon())))).isEqualTo(number);
    Request waits = request(other, IfHeld.QUEUE);
    assertThat(witness.grab(waits, soon())).isEqualTo(new Attempt.Queued());
    assertThat(answered(() -> client.release(LOCK, joins.id(), soon())))
        .isIn(Released.SHARED, Released.NOTHING);
    assertThat(held(witness, holds)).isEqualTo(number);
    assertThat(witness.release(LOCK, waits.id(), soon())).isEqualTo(Released.WAS_WAITING);
    assertThat(witness.release(LOCK, holds.id(), soon())).isEqualTo(Released.FREED);
    return number;
  }

  private long lapsedAndEnded(
      LockBackend client, LockBackend witness, SessionId mine, SessionId other) {
    Request left = request(other, IfHeld.REFUSE);
    long number = number(witness.grab(left, soon()));
    witness.renew(other, soon());
    assertThat(answered(() -> client.end(other, EndIf.LAPSED, soon()))).isEqualTo(Ended.ALIVE);
    clock.accept(TTL.plusSeconds(2));
    assertThat(answered(() -> client.end(other, EndIf.LAPSED, soon()))).isEqualTo(Ended.OVER);
    assertThat(witness.renew(other, soon())).isEqualTo(new Renewed.Over());
    renewed(client, mine);
    witness.release(LOCK, left.id(), soon());
    return number;
  }

  private long lookedAtAndEnded(
      LockBackend client, LockBackend witness, SessionId mine, SessionId other) {
    Request holds = request(other, IfHeld.REFUSE);
    long number = number(witness.grab(holds, soon()));
    assertThat(answered(() -> client.inspect(LOCK, soon())).orElseThrow().number())
        .isEqualTo(number);
    assertThat(answered(() -> client.list("", Optional.empty(), 9, soon()))).hasSize(1);
    answered(() -> client.end(mine, EndIf.CLOSED, soon()));
    assertThat(witness.renew(mine, soon())).isEqualTo(new Renewed.Over());
    assertThat(witness.release(LOCK, holds.id(), soon())).isEqualTo(Released.FREED);
    return number;
  }

  /** One session has ended with what it holds, the other lapses. */
  private long swept(LockBackend client, LockBackend witness, SessionId mine) {
    long number = number(witness.grab(request(mine, IfHeld.REFUSE), soon()));
    witness.end(mine, EndIf.CLOSED, soon());
    for (int day = 0; day < 3; day++) {
      clock.accept(Duration.ofHours(25));
      answered(() -> client.sweep(soon()));
    }
    assertThat(witness.inspect(LOCK, soon())).isEmpty();
    return number;
  }
}
