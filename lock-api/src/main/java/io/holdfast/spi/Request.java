package io.holdfast.spi;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.error.BadRequestException;
import io.holdfast.record.RequestId;
import java.time.Duration;

/**
 * A request for one lock. Made by {@link #of}, which asks for exclusive mode in the queue, and
 * changed by the other methods, each of which returns a changed copy.
 *
 * @param name the lock
 * @param id the request's id, with its session
 * @param mode the mode in which the lock will be held
 * @param ifHeld what to do if another request holds the lock
 * @param process the identity of the requesting process
 * @param why the reason, possibly empty, at most {@link io.holdfast.AcquireOptions#WHY_MAX}
 *     characters
 * @param payload the bytes to publish while the lock is held, possibly empty
 * @param lockDelay for how long the request keeps the lock when its session has ended uncleanly;
 *     zero for not at all
 */
public record Request(
    LockName name,
    RequestId id,
    LockMode mode,
    IfHeld ifHeld,
    ProcessIdentity process,
    String why,
    Payload payload,
    Duration lockDelay) {

  /** The answer to a request for a lock that another request holds. */
  public enum IfHeld {
    /** The request is refused and leaves nothing behind. */
    REFUSE,
    /** The request joins the queue. */
    QUEUE
  }

  /** Returns a request that waits in the queue to hold the lock exclusively. */
  public static Request of(LockName name, RequestId id, ProcessIdentity process) {
    return new Request(
        name, id, LockMode.EXCLUSIVE, IfHeld.QUEUE, process, "", Payload.EMPTY, Duration.ZERO);
  }

  /** Returns the key of this request. */
  public RequestKey key() {
    return new RequestKey(name, id);
  }

  /** Returns whether it keeps the lock for a while when its session has ended uncleanly. */
  public boolean hasLockDelay() {
    return !lockDelay.isZero();
  }

  /** Returns the same request with another {@code ifHeld}. */
  public Request with(IfHeld other) {
    return new Request(name, id, mode, other, process, why, payload, lockDelay);
  }

  /** Returns the same request with another id. */
  public Request with(RequestId other) {
    return new Request(name, other, mode, ifHeld, process, why, payload, lockDelay);
  }

  /** Returns the same request of another process. */
  public Request with(ProcessIdentity other) {
    return new Request(name, id, mode, ifHeld, other, why, payload, lockDelay);
  }

  /** Returns the same request in another mode. */
  public Request with(LockMode other) {
    return new Request(name, id, other, ifHeld, process, why, payload, lockDelay);
  }

  /** Returns the same request for another lock. */
  public Request with(LockName other) {
    return new Request(other, id, mode, ifHeld, process, why, payload, lockDelay);
  }

  /** Returns the same request with another payload. */
  public Request with(Payload other) {
    return new Request(name, id, mode, ifHeld, process, why, other, lockDelay);
  }

  /** Returns the same request with another reason. */
  public Request why(String other) {
    return new Request(name, id, mode, ifHeld, process, other, payload, lockDelay);
  }

  /** Returns the same request with another lock-delay. */
  public Request lockDelay(Duration other) {
    return new Request(name, id, mode, ifHeld, process, why, payload, other);
  }

  /**
   * Checks that a store without shared mode can execute this request.
   *
   * @param where the store's name in messages
   * @throws BadRequestException if the request asks for shared mode
   */
  public void requireExclusive(String where) {
    if (mode != LockMode.EXCLUSIVE) {
      throw new BadRequestException(
          "Locks at %s are exclusive; shared mode is not available.".formatted(where));
    }
  }
}
