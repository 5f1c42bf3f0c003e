package io.holdfast.tck.store;

/**
 * A second server for a class that runs the kit. Rules that {@linkplain Disturbs disturb} the
 * server that all others {@linkplain SharedServer share} run on it, one after the other; the others
 * need not wait for them.
 */
public interface DisturbedServer {

  /** Returns an empty namespace on that server for one test. The test closes it. */
  TckStore openStoreToDisturb() throws Exception;
}
