package io.holdfast.memory;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.QuorumControl;
import io.holdfast.tck.store.RealClockControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import io.holdfast.tck.store.WipeControl;
import java.time.Duration;

/** A store in memory as the kit wants it: everything can be done to it. */
public final class MemoryTckStore
    implements TckStore,
        RealClockControl,
        RestartControl,
        FailOverControl,
        QuorumControl,
        StepControl,
        WipeControl {

  private final MemoryStore store;

  /** Makes an empty store. */
  public MemoryTckStore(MemoryOptions options) {
    this.store = new MemoryStore("tck", options);
  }

  @Override
  public LockBackend connect(BackendOptions options) {
    return store.connect(options);
  }

  @Override
  public LockBackend connect(BackendOptions options, Runnable beforeStep) {
    return store.connect(options, beforeStep);
  }

  @Override
  public void stepClock(Duration by) {
    store.stepClock(by);
  }

  @Override
  public void restartLosingNothing() {
    store.restart();
  }

  @Override
  public void failOverLosing(Runnable lastWrites) {
    store.stopReplicating();
    store.answerEarly(true);
    lastWrites.run();
    store.failOver();
    store.answerEarly(false);
  }

  @Override
  public boolean hasReplica() {
    return true;
  }

  /** The store cannot tell a namespace whose records were deleted from one that it lost. */
  @Override
  public void wipe() {
    store.wipe();
  }

  @Override
  public void loseEverything() {
    store.loseEverything();
  }

  @Override
  public void withoutQuorum(Runnable body) {
    store.stopReplicating();
    try {
      body.run();
    } finally {
      store.startReplicating();
    }
  }

  @Override
  public void close() {}
}
