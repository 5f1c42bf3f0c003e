package io.holdfast.tck.store;

/** Restarts the store without any loss. */
public interface RestartControl {

  /** Restarts it as a new incarnation with all of its data. Returns when it answers. */
  void restartLosingNothing();

  /** Returns whether holders survive: they do not if the restart is that of their machine. */
  default boolean holdersLiveOn() {
    return true;
  }
}
