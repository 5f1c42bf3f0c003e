package io.holdfast.benchmarks.contender;

import io.holdfast.LockName;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One session, without an engine: verbs are counted, and no heartbeat comes in between. Used by one
 * thread.
 */
public final class Party {

  /** Longer than any call takes, also on a machine that does something else. */
  public static final Duration CALL = Duration.ofSeconds(30);

  /** The greatest that a namespace has by default. */
  public static final Duration TTL = Duration.ofSeconds(60);

  /** No session is so old that it could lapse before it is used again. */
  private static final Duration RENEWED_AFTER = TTL.dividedBy(6);

  private static final ProcessIdentity PROCESS = ProcessIdentity.ofThisProcess();

  private final LockBackend backend;
  private final SessionId session = SessionId.fresh();
  private long serial;
  private long renewedNanos = System.nanoTime();

  /** Opens a session. */
  public Party(LockBackend backend) {
    this.backend = backend;
    backend.open(new SessionSpec(session, TTL, 0, PROCESS), soon());
  }

  private static Deadline soon() {
    return Deadline.in(CALL);
  }

  public SessionId session() {
    return session;
  }

  public LockBackend backend() {
    return backend;
  }

  /** Renews the session, in another millisecond than before: else nothing would be written. */
  public void renew() {
    long last = System.currentTimeMillis();
    while (System.currentTimeMillis() == last) {
      Thread.onSpinWait();
    }
    if (!(backend.renew(session, soon()) instanceof Renewed.Alive)) {
      throw new IllegalStateException("A session is over that was renewed in time.");
    }
    renewedNanos = System.nanoTime();
  }

  /** Renews the session if it has not been for a while. */
  public void keepAlive() {
    if (System.nanoTime() - renewedNanos > RENEWED_AFTER.toNanos()) {
      renew();
    }
  }

  /** Takes a lock that is free. */
  public Request take(LockName name) {
    Request request = request(name, IfHeld.REFUSE);
    Attempt attempt = backend.grab(request, soon());
    if (!(attempt instanceof Attempt.Granted)) {
      throw new IllegalStateException("A free lock was not granted: " + attempt);
    }
    return request;
  }

  /** Joins the queue of a lock that is held; empty if it is full. */
  public Optional<Request> join(LockName name) {
    Request request = request(name, IfHeld.QUEUE);
    Attempt attempt = backend.grab(request, soon());
    if (attempt instanceof Attempt.QueueFull) {
      return Optional.empty();
    }
    if (!(attempt instanceof Attempt.Queued)) {
      throw new IllegalStateException("Not queued: " + attempt);
    }
    return Optional.of(request);
  }

  private Request request(LockName name, IfHeld ifHeld) {
    RequestId id = new RequestId(session, ++serial);
    return Request.of(name, id, PROCESS).with(ifHeld);
  }

  public void release(Request request) {
    backend.release(request.name(), request.id(), soon());
  }

  public Standing look(Request request) {
    return backend.look(session, List.of(request.key()), soon()).get(0);
  }

  /** Looks at a request that was handed its lock. */
  public void lookHolding(Request request) {
    Standing standing = look(request);
    if (!(standing instanceof Standing.Holding)) {
      throw new IllegalStateException("It was not handed the lock: " + standing);
    }
  }

  /** Ends the session, and with it all that it has. */
  public void end() {
    backend.end(session, EndIf.CLOSED, soon());
  }
}
