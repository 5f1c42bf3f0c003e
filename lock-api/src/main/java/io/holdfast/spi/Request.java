package io.holdfast.spi;

import io.holdfast.BadRequestException;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;

/**
 * One wish for one lock.
 *
 * @param name the lock
 * @param id the request's id, with its session
 * @param mode how the lock shall be held
 * @param ifHeld what to do if somebody holds it
 * @param process who asks
 * @param why what for, possibly empty, at most {@link io.holdfast.AcquireOptions#WHY_MAX}
 *     characters
 * @param payload what to publish while holding, possibly empty
 */
public record Request(
    LockName name,
    RequestId id,
    LockMode mode,
    IfHeld ifHeld,
    ProcessIdentity process,
    String why,
    Payload payload) {

  /** What becomes of a request for a lock that somebody else holds. */
  public enum IfHeld {
    /** It is refused and leaves nothing behind. */
    REFUSE,
    /** It joins the queue. */
    QUEUE
  }

  /** Returns what identifies it. */
  public RequestKey key() {
    return new RequestKey(name, id);
  }

  /** Returns the same request with another answer to what becomes of it. */
  public Request with(IfHeld other) {
    return new Request(name, id, mode, other, process, why, payload);
  }

  /**
   * Checks that a store without shared mode can fulfil it.
   *
   * @param where how the store is called in messages
   * @throws BadRequestException if it asks for shared mode
   */
  public void requireExclusive(String where) {
    if (mode != LockMode.EXCLUSIVE) {
      throw new BadRequestException(
          "Locks at %s are exclusive; shared mode is not available.".formatted(where));
    }
  }
}
