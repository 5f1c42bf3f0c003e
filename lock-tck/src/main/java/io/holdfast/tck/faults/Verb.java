package io.holdfast.tck.faults;

/** A method of {@link io.holdfast.spi.LockBackend} that asks the store. */
public enum Verb {
  OPEN,
  RENEW,
  END,
  GRAB,
  OVERTAKE,
  RELEASE,
  DOWNGRADE,
  LOOK,
  REVOKE,
  ACKNOWLEDGE,
  INSPECT,
  LIST,
  SWEEP,
  LISTEN,
  CLOSE
}
