package io.holdfast.tck.rules;

import io.holdfast.LockName;
import io.holdfast.tck.store.TckStore;

/** What the rules of this package share. */
public interface SpiRules {

  /** A lock. */
  LockName LOCK = new LockName("orders/42");

  /** Returns the store under test and its clients, made anew for each test. */
  Bench bench();

  /** Returns a second empty namespace on the same server, closed with the bench. */
  TckStore otherNamespace() throws Exception;
}
