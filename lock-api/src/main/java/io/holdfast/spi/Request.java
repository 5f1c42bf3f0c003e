package io.holdfast.spi;

import io.holdfast.BadRequestException;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;

/**
 * A request for one lock.
 *
 * @param name the lock
 * @param id the request's id, with its session
 * @param mode the mode in which the lock will be held
 * @param ifHeld what to do if another request holds the lock
 * @param process the identity of the requesting process
 * @param why the reason, possibly empty, at most {@link io.holdfast.AcquireOptions#WHY_MAX}
 *     characters
 * @param payload the bytes to publish while the lock is held, possibly empty
 */
public record Request(
    LockName name,
    RequestId id,
    LockMode mode,
    IfHeld ifHeld,
    ProcessIdentity process,
    String why,
    Payload payload) {

  /** What happens to a request for a lock that another request holds. */
  public enum IfHeld {
    /** The request is refused and leaves nothing behind. */
    REFUSE,
    /** The request joins the queue. */
    QUEUE
  }

  /** Returns the key of this request. */
  public RequestKey key() {
    return new RequestKey(name, id);
  }

  /** Returns the same request with another {@code ifHeld}. */
  public Request with(IfHeld other) {
    return new Request(name, id, mode, other, process, why, payload);
  }

  /** Returns the same request in another mode. */
  public Request with(LockMode other) {
    return new Request(name, id, other, ifHeld, process, why, payload);
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
