package io.holdfast.fencing;

import io.holdfast.Sequencer;

/**
 * A request that a {@link FencingGuard} has let in, from {@link FencingGuard#enter} until it is
 * closed. Thread-safe.
 */
public interface Admission extends AutoCloseable {

  /** Returns what the request has shown. */
  Sequencer sequencer();

  /**
   * Says how the request can be cancelled, such as by closing its connection, when one with a newer
   * token comes that does not want to wait. The action is run once at most, on the newcomer's
   * thread, or at once on this one if a newcomer wants it already. When it has returned, the
   * request counts as gone: nothing that it has begun may take effect after that. If it throws,
   * that is logged, and newcomers wait until the request has left by itself.
   */
  void onCancel(Runnable action);

  /** Returns whether a newcomer has had the request cancelled. */
  boolean isCancelled();

  /** Tells that the request is done. Does nothing if it was told before. */
  @Override
  void close();
}
