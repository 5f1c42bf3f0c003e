package io.holdfast.cli.run;

import io.holdfast.Grant;
import io.holdfast.error.LossReason;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Remembers why a grant was lost, for all commands that run under it one after the other: a grant
 * keeps its listeners as long as it lives, so it gets one. Thread-safe.
 */
public final class LossWatch {

  private final CountDownLatch lost = new CountDownLatch(1);
  private volatile @Nullable LossReason reason;
  private volatile Runnable onLoss = () -> {};

  public LossWatch(Grant grant) {
    grant.onLost(
        why -> {
          reason = why;
          lost.countDown();
          onLoss.run();
        });
  }

  /** Has this done when the grant is lost, in place of what was to be done before. */
  void onLoss(Runnable action) {
    onLoss = action;
  }

  Optional<LossReason> reason() {
    return Optional.ofNullable(reason);
  }

  /** Waits until the grant is lost, for so long at most. */
  public void await(Duration longest) throws InterruptedException {
    boolean ignored = lost.await(longest.toMillis(), TimeUnit.MILLISECONDS);
  }
}
