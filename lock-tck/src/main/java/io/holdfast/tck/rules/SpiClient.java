package io.holdfast.tck.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holder;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.SessionId;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Ended;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Notice;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Released;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * One session on one connection, as a client without an engine: every call is one call of a verb,
 * with a generous deadline. The calls named after an outcome assert it.
 */
public final class SpiClient {

  private static final Duration KEPT_ALIVE_EVERY = Bench.LONG.dividedBy(6);

  private final LockBackend backend;
  private final SessionId session;
  private final AtomicLong serial;
  private long keptAliveNanos = System.nanoTime();

  private SpiClient(LockBackend backend, SessionId session, AtomicLong serial) {
    this.backend = backend;
    this.session = session;
    this.serial = serial;
  }

  /** Opens a session. */
  public static SpiClient open(LockBackend backend, Duration ttl) {
    SessionSpec spec = Bench.spec(ttl);
    backend.open(spec, Bench.soon());
    return of(backend, spec.id());
  }

  /** Returns a client of a session that somebody else opens, or nobody. */
  public static SpiClient of(LockBackend backend, SessionId session) {
    return new SpiClient(backend, session, new AtomicLong());
  }

  /** Returns the same session on another connection. */
  public SpiClient on(LockBackend other) {
    return new SpiClient(other, session, serial);
  }

  /** Returns the connection. */
  public LockBackend backend() {
    return backend;
  }

  /** Returns the session's id. */
  public SessionId session() {
    return session;
  }

  // The session.

  /** Renews the session. */
  public Renewed renew() {
    return backend.renew(session, Bench.soon());
  }

  /** Renews the session, which must live. */
  public Renewed.Alive renewed() {
    Renewed renewed = renew();
    assertThat(renewed).as("renewal of %s", session).isInstanceOf(Renewed.Alive.class);
    return (Renewed.Alive) renewed;
  }

  /** Renews the session if that is long ago: for what may take longer than {@link Bench#LONG}. */
  public void keepAlive() {
    if (System.nanoTime() - keptAliveNanos > KEPT_ALIVE_EVERY.toNanos()) {
      keptAliveNanos = System.nanoTime();
      renewed();
    }
  }

  /** Renews the session and returns which of its requests it is told were revoked. */
  public List<RequestId> toldRevoked() {
    return renewed().notices().stream()
        .filter(Notice.Revoked.class::isInstance)
        .map(notice -> ((Notice.Revoked) notice).request())
        .toList();
  }

  /** Ends the session, as its owner. */
  public void closeSession() {
    assertThat(end(EndIf.CLOSED)).isEqualTo(Ended.OVER);
  }

  /** Ends the session. */
  public Ended end(EndIf when) {
    return backend.end(session, when, Bench.soon());
  }

  // Requests.

  /** Returns a new request that is refused if the lock is held. */
  public Request request(LockName name) {
    return request(name, IfHeld.REFUSE, "", Payload.EMPTY);
  }

  /** Returns a new request that joins the queue if the lock is held. */
  public Request patient(LockName name) {
    return request(name, IfHeld.QUEUE, "", Payload.EMPTY);
  }

  /** Returns a new request. */
  public Request request(LockName name, IfHeld ifHeld, String why, Payload payload) {
    return new Request(
        name,
        new RequestId(session, serial.incrementAndGet()),
        LockMode.EXCLUSIVE,
        ifHeld,
        new ProcessIdentity("tck:1"),
        why,
        payload);
  }

  /** Grabs. */
  public Attempt grab(Request request) {
    return backend.grab(request, Bench.soon());
  }

  /** Grabs, and must be granted the lock. */
  public Held hold(Request request) {
    return held(request, grab(request));
  }

  /** Grabs with a new request, and must be granted the lock. */
  public Held hold(LockName name) {
    return hold(request(name));
  }

  /** Grabs with a new request, and must be queued. */
  public Request queue(LockName name) {
    Request request = patient(name);
    assertThat(grab(request)).as("grab of %s", name).isEqualTo(new Attempt.Queued());
    return request;
  }

  /** Grabs with a new request, and must be refused because of the holder returned. */
  public Holder refused(LockName name) {
    Attempt attempt = grab(request(name));
    assertThat(attempt).as("grab of %s", name).isInstanceOf(Attempt.Refused.class);
    return ((Attempt.Refused) attempt).record().holder().orElseThrow();
  }

  /** Overtakes. */
  public Attempt overtake(Request request, Observed observed) {
    return backend.overtake(request, observed, Bench.soon());
  }

  /** Overtakes with a new request that does not wait, and must be granted the lock. */
  public Held overtake(Observed observed) {
    Request request = request(observed.name());
    return held(request, overtake(request, observed));
  }

  private static Held held(Request request, Attempt attempt) {
    assertThat(attempt).as("attempt on %s", request.name()).isInstanceOf(Attempt.Granted.class);
    return new Held(request, ((Attempt.Granted) attempt).number());
  }

  /** Releases. */
  public Released release(Request request) {
    return backend.release(request.name(), request.id(), Bench.soon());
  }

  /** Releases what is held. */
  public Released release(Held held) {
    return release(held.request());
  }

  /** Looks at some requests. */
  public List<Standing> look(Request... requests) {
    return backend.look(session, Stream.of(requests).map(Request::key).toList(), Bench.soon());
  }

  /** Looks at many requests. */
  public List<Standing> look(List<RequestKey> requests) {
    return backend.look(session, requests, Bench.soon());
  }

  /** Looks at one request. */
  public Standing standing(Request request) {
    return look(request).get(0);
  }

  /** Looks at one request, which must hold. */
  public Held holding(Request request) {
    Standing standing = standing(request);
    assertThat(standing).as("%s", request.name()).isInstanceOf(Standing.Holding.class);
    return new Held(request, ((Standing.Holding) standing).number());
  }

  /** Looks at one request, which must wait. */
  public Standing.Waiting waiting(Request request) {
    Standing standing = standing(request);
    assertThat(standing).as("%s", request.name()).isInstanceOf(Standing.Waiting.class);
    return (Standing.Waiting) standing;
  }

  /** Looks at one request, which must wait behind so many, all of whom count. */
  public void requireWaiting(Request request, int ahead) {
    Standing.Waiting waiting = waiting(request);
    assertThat(waiting.ahead()).as("ahead on %s", request.name()).isEqualTo(ahead);
    assertThat(waiting.obstacles()).as("obstacles on %s", request.name()).isEmpty();
  }

  // For people and operators.

  /** Revokes. */
  public Revocation revoke(Observed observed, RevokeWhen when) {
    return backend.revoke(observed, when, Bench.soon());
  }

  /** Stops the notice that a request was revoked. */
  public void acknowledge(Request request) {
    backend.acknowledge(request.id(), Bench.soon());
  }

  /** Inspects. */
  public Optional<LockRecord> inspect(LockName name) {
    return backend.inspect(name, Bench.soon());
  }

  /** Inspects a lock, which must be held. */
  public Holder holder(LockName name) {
    return inspect(name).flatMap(LockRecord::holder).orElseThrow();
  }

  /** Inspects a lock, which nobody may hold or wait for. */
  public void requireFree(LockName name) {
    Optional<LockRecord> record = inspect(name);
    assertThat(record.flatMap(LockRecord::holder)).as("the holder of %s", name).isEmpty();
    assertThat(record.map(LockRecord::waiters).orElse(List.of()))
        .as("those who wait for %s", name)
        .isEmpty();
  }

  /** Returns whether nobody holds the lock and nobody waits for it, as far as anybody can see. */
  public boolean isFree(LockName name) {
    return inspect(name)
        .filter(record -> record.holder().isPresent() || !record.waiters().isEmpty())
        .isEmpty();
  }
}
