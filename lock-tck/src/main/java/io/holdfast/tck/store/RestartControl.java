package io.holdfast.tck.store;

/** The store can be started again in such a way that it loses nothing. */
public interface RestartControl {

  /** Starts it again: a new incarnation with all of the data. Returns when it answers. */
  void restartLosingNothing();
}
