package io.holdfast.tck.process.client;

import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.error.BackendUnreachableException;

/** Asks whether a store can be written to: a process that was stopped in a write may block it. */
public final class StoreProbe {

  private StoreProbe() {}

  /**
   * Returns whether one attempt at a lock is answered.
   *
   * @param lock one of which the rules make no other use
   */
  public static boolean isWritable(LockClient client, String lock) {
    try {
      client.lock(lock).tryAcquire().ifPresent(Grant::release);
      return true;
    } catch (BackendUnreachableException e) {
      return false;
    }
  }
}
