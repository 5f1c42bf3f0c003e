package io.holdfast.election;

import io.holdfast.error.HoldfastException;
import io.holdfast.watch.WatchListener;
import java.util.Optional;

/**
 * Is told who leads, without standing. Methods are called as those of a {@link WatchListener} are:
 * one at a time and in order, never with an older leader after a later one.
 */
@FunctionalInterface
public interface Observer {

  /**
   * Another leads than before, or there is no leader. The first call tells who leads at the
   * beginning. A leader whose session has lapsed does not count. The answer may be out of date when
   * it arrives.
   *
   * @param leader empty if there is no leader
   */
  void leads(Optional<Leader> leader);

  /** The store did not answer. Until {@link #recovered} nothing is known of who leads. */
  default void failed(HoldfastException problem) {}

  /** The store answers again. If another leads now, that is told after this. */
  default void recovered() {}
}
