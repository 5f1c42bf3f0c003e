package io.holdfast.jdbc;

import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.TckStore;
import io.holdfast.tck.store.WipeControl;

/** A database in a file, which is started again with its machine, and so without its holders. */
interface FileStore extends TckStore, RestartControl, FailOverControl, WipeControl {

  /** Executes a statement past the library. */
  void execute(String sql);

  /** The machine was booted since. */
  @Override
  default void restartLosingNothing() {
    execute("UPDATE holdfast_sessions SET incarnation = 'an earlier boot of this machine'");
  }

  @Override
  default boolean holdersLiveOn() {
    return false;
  }

  /** The power was lost, and so every holder too. */
  @Override
  default void failOverLosing(Runnable lastWrites) {
    LostWrites.lose(lastWrites, this::execute);
    restartLosingNothing();
  }

  /** The power takes the last writes, and no more. */
  @Override
  default void loseEverything() {
    wipe();
  }

  @Override
  default void wipe() {
    LostWrites.NAMES.forEach(table -> execute("DELETE FROM " + table));
  }
}
