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
 * @param why what for, possibly empty
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

  /** The longest {@code why}, in characters. */
  public static final int WHY_MAX = 512;

  /** What becomes of a request for a lock that somebody else holds. */
  public enum IfHeld {
    /** It is refused and leaves nothing behind. */
    REFUSE,
    /** It joins the queue. */
    QUEUE
  }

  /** Checks the length of {@code why}. */
  public Request {
    if (why.length() > WHY_MAX) {
      throw new BadRequestException(
          "The reason for a request may have at most %d characters; this one has %d."
              .formatted(WHY_MAX, why.length()));
    }
  }

  /** Returns what identifies it. */
  public RequestKey key() {
    return new RequestKey(name, id);
  }
}
