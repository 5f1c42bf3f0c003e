package io.holdfast.tck.rules;

import io.holdfast.LockName;

/** What the rules of this package share. */
public interface SpiRules {

  /** A lock. */
  LockName LOCK = new LockName("orders/42");

  /** Returns the store under test and its clients, made anew for each test. */
  Bench bench();
}
