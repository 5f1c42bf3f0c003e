package io.holdfast.election;

import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.ReleaseOutcome;
import io.holdfast.Sequencer;
import io.holdfast.error.LossReason;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/** A grant as its candidate sees it: whoever releases it gives the term up. */
final class TermGrant implements Grant {

  private final Grant grant;
  private final Runnable whenReleased;

  TermGrant(Grant grant, Runnable whenReleased) {
    this.grant = grant;
    this.whenReleased = whenReleased;
  }

  /** The term ends after the call to the store, which the interrupt that comes then could break. */
  @Override
  public ReleaseOutcome release() {
    try {
      return grant.release();
    } finally {
      whenReleased.run();
    }
  }

  @Override
  public LockName name() {
    return grant.name();
  }

  @Override
  public LockMode mode() {
    return grant.mode();
  }

  @Override
  public FencingToken token() {
    return grant.token();
  }

  @Override
  public Sequencer sequencer() {
    return grant.sequencer();
  }

  @Override
  public Instant since() {
    return grant.since();
  }

  @Override
  public boolean isHeld() {
    return grant.isHeld();
  }

  @Override
  public void check() {
    grant.check();
  }

  @Override
  public Duration remaining() {
    return grant.remaining();
  }

  @Override
  public void extend(Duration atMost) {
    grant.extend(atMost);
  }

  @Override
  public void downgrade() {
    grant.downgrade();
  }

  @Override
  public void onLost(Consumer<LossReason> listener) {
    grant.onLost(listener);
  }

  @Override
  public void handOver() {
    grant.handOver();
  }

  @Override
  public String toString() {
    return grant.toString();
  }
}
