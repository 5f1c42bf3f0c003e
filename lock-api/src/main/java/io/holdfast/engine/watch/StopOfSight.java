package io.holdfast.engine.watch;

import io.holdfast.engine.turn.CheckedBackend;
import io.holdfast.engine.turn.StoreCall;
import io.holdfast.engine.turn.Turn;
import io.holdfast.spi.Deadline;

/** Stops what the store was asked for, after the watch was closed. */
record StopOfSight(Sight sight) implements StoreCall<Boolean> {

  @Override
  public Boolean send(CheckedBackend store, Deadline deadline) {
    sight.close();
    return true;
  }

  @Override
  public void answered(Boolean answer, Turn turn) {}

  @Override
  public void failed(RuntimeException failure, Turn turn) {}
}
