package io.holdfast.tck.faults;

/** A method of {@link io.holdfast.spi.LockBackend} that asks the store. */
public enum Verb {
  OPEN,
  RENEW,
  END,
  GRAB,
  OVERTAKE,
  RELEASE,
  RELEASE_AFTER,
  DOWNGRADE,
  LOOK,
  REVOKE,
  REVOKE_IN,
  ACKNOWLEDGE,
  INSPECT,
  LIST,
  SWEEP,
  LISTEN,
  /** A read of a lock that is watched. */
  WATCH,
  CLOSE
}
