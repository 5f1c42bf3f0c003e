package io.holdfast.tck.format;

import static io.holdfast.tck.format.Steps.request;
import static io.holdfast.tck.format.Steps.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.SessionId;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Revocation;
import io.holdfast.record.Stay;
import io.holdfast.record.Waiter;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import java.time.Duration;
import java.util.Optional;
import org.assertj.core.groups.Tuple;

/**
 * The scenario of the golden files of modes and times: a lock that two share while others wait, one
 * whose grant was downgraded, and one for each reason for which a request keeps its lock for a
 * time.
 */
final class ModesScenario {

  private static final SessionId ONE = new SessionId("0123456789abcdef0123456789abcdef");
  private static final SessionId TWO = new SessionId("fedcba9876543210fedcba9876543210");
  private static final SessionId THREE = new SessionId("00000000000000000000000000000001");

  /** It is closed before the state is there. */
  private static final SessionId CLOSED = new SessionId("00000000000000000000000000000002");

  private static final LockName SHARED = new LockName("shared");
  private static final LockName DOWNGRADED = new LockName("downgraded");
  private static final LockName KEPT = new LockName("kept");
  private static final LockName DELAYED = new LockName("delayed");
  private static final LockName NOTICED = new LockName("noticed");

  /** Longer than any test takes. */
  private static final Duration HOUR = Duration.ofHours(1);

  private final LockBackend backend;
  private final Steps steps;

  ModesScenario(LockBackend backend) {
    this.backend = backend;
    this.steps = new Steps(backend);
  }

  private static Request firstReader() {
    return request(SHARED, ONE, 1, "host:1").with(LockMode.SHARED).why("reads").lockDelay(HOUR);
  }

  private static Request secondReader() {
    return request(SHARED, TWO, 11, "host:2").with(LockMode.SHARED).with(Payload.ofText("second"));
  }

  private static Request writer() {
    return request(SHARED, THREE, 1, "host:3").why("writes").lockDelay(HOUR);
  }

  private static Request lateReader() {
    return request(SHARED, ONE, 2, "host:1").with(LockMode.SHARED);
  }

  private static Request downgraded() {
    return request(DOWNGRADED, THREE, 2, "host:3");
  }

  private static Request kept() {
    return request(KEPT, ONE, 3, "host:1");
  }

  private static Request delayed() {
    return request(DELAYED, CLOSED, 1, "host:4").lockDelay(HOUR);
  }

  private static Request noticed() {
    return request(NOTICED, TWO, 12, "host:2");
  }

  /** One that asks once for a lock that another holds. */
  private static Request asking(LockName name) {
    return request(name, THREE, 3, "host:3").with(Request.IfHeld.REFUSE);
  }

  /** Brings an empty namespace into the state. */
  void write() {
    steps.open(ONE, "host:1");
    steps.open(TWO, "host:2");
    steps.open(THREE, "host:3");
    steps.granted(firstReader());
    steps.granted(secondReader());
    steps.queued(writer());
    steps.queued(lateReader());

    steps.granted(downgraded());
    assertThat(backend.downgrade(downgraded().key(), soon())).isPresent();

    steps.granted(kept());
    assertThat(backend.releaseAfter(kept().key(), HOUR, soon())).isEqualTo(Released.STAYS);

    steps.open(CLOSED, "host:4");
    long number = steps.granted(delayed());
    assertThat(backend.end(CLOSED, EndIf.CLOSED, soon())).isEqualTo(Ended.OVER);
    overtake(delayed(), number);

    long revoked = steps.granted(noticed());
    assertThat(backend.revokeIn(new Observed(NOTICED, revoked, noticed().id()), HOUR, soon()))
        .isInstanceOf(Revocation.Marked.class);
  }

  /** Begins the lock-delay of a request whose session is over. */
  private void overtake(Request over, long number) {
    Attempt attempt =
        backend.overtake(asking(over.name()), new Observed(over.name(), number, over.id()), soon());
    assertThat(attempt).as("an overtake in a lock-delay").isInstanceOf(Attempt.Refused.class);
  }

  /** Checks that the adapter understands the state, and then passes the shared lock on. */
  void read() {
    requireShared();
    assertThat(steps.holding(downgraded()).mode()).isEqualTo(LockMode.SHARED);
    requireStay(kept(), Stay.Reason.AT_LEAST);
    requireStay(delayed(), Stay.Reason.LOCK_DELAY);
    requireStay(noticed(), Stay.Reason.REVOKED);
    requireNotice();
    requireHandOver();
  }

  private void requireShared() {
    LockRecord record = backend.inspect(SHARED, soon()).orElseThrow();
    assertThat(record.holders())
        .extracting(Holder::request, Holder::mode, Holder::why, Holder::payload)
        .containsExactly(holder(firstReader()), holder(secondReader()));
    assertThat(record.waiters()).containsExactly(waiter(writer()), waiter(lateReader()));
    assertThat(steps.holding(firstReader()).mode()).isEqualTo(LockMode.SHARED);
    assertThat(steps.waiting(writer()).obstacles()).isEmpty();
    assertThat(steps.waiting(lateReader()).obstacles()).isEmpty();
  }

  private static Tuple holder(Request request) {
    return tuple(request.id(), request.mode(), request.why(), request.payload());
  }

  private static Waiter waiter(Request request) {
    return new Waiter(request.id(), request.mode(), request.process(), request.why());
  }

  private void requireStay(Request request, Stay.Reason reason) {
    Holder holder = backend.inspect(request.name(), soon()).orElseThrow().holder().orElseThrow();
    assertThat(holder.request()).isEqualTo(request.id());
    Stay stay = holder.stay().orElseThrow();
    assertThat(stay.reason()).isEqualTo(reason);
    assertThat(stay.left()).isPositive().isLessThanOrEqualTo(HOUR.plus(Scenario.MAX_STEP));
    assertThat(backend.grab(asking(request.name()), soon())).isInstanceOf(Attempt.Refused.class);
  }

  private void requireNotice() {
    Renewed.Alive alive = (Renewed.Alive) backend.renew(TWO, soon());
    assertThat(alive.notices())
        .singleElement()
        .isInstanceOfSatisfying(
            Notice.Revoked.class,
            notice -> {
              assertThat(notice.request()).isEqualTo(noticed().id());
              assertThat(notice.left()).isPositive();
            });
  }

  /** The writer's lock-delay is as long as it was asked for. */
  private void requireHandOver() {
    assertThat(backend.release(SHARED, secondReader().id(), soon())).isEqualTo(Released.SHARED);
    assertThat(backend.release(SHARED, firstReader().id(), soon())).isEqualTo(Released.HANDED_ON);
    long number = steps.holding(writer()).number();
    assertThat(backend.end(THREE, EndIf.CLOSED, soon())).isEqualTo(Ended.OVER);
    assertThat(backend.overtake(lateReader(), new Observed(SHARED, number, writer().id()), soon()))
        .isEqualTo(new Attempt.Queued());
    Optional<Stay> stay =
        backend.inspect(SHARED, soon()).orElseThrow().holder().flatMap(Holder::stay);
    assertThat(stay).map(Stay::reason).contains(Stay.Reason.LOCK_DELAY);
    assertThat(stay.orElseThrow().left()).isGreaterThan(HOUR.dividedBy(2));
  }
}
