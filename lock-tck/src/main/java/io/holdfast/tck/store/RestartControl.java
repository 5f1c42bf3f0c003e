package io.holdfast.tck.store;

/** The store can be started again in such a way that it loses nothing. */
public interface RestartControl {

  /** Starts it again: a new incarnation with all of the data. Returns when it answers. */
  void restartLosingNothing();

  /** Returns whether holders live on meanwhile: not where it is the restart of their machine. */
  default boolean holdersLiveOn() {
    return true;
  }
}
