package io.holdfast.election;

import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.ReleaseOutcome;
import io.holdfast.Sequencer;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** A grant as its candidate sees it: to release it is to give the term up. */
final class TermGrant implements Grant {

  private final Grant grant;
  private final Consumer<LossReason> whenReleased;

  TermGrant(Grant grant, Consumer<LossReason> whenReleased) {
    this.grant = grant;
    this.whenReleased = whenReleased;
  }

  /** Asks the client's own grant. */
  boolean is(Predicate<Grant> state) {
    return state.test(grant);
  }

  /** The term ends after the call to the store, which the interrupt that comes then could break. */
  @Override
  public ReleaseOutcome release() {
    try {
      return grant.release();
    } finally {
      whenReleased.accept(reason());
    }
  }

  @Override
  public ReleaseOutcome releaseUnused() {
    try {
      return grant.releaseUnused();
    } finally {
      whenReleased.accept(reason());
    }
  }

  /** If it was lost before it was released, that counts, though listeners may not know it yet. */
  private LossReason reason() {
    try {
      grant.check();
      return LossReason.RELEASED;
    } catch (LockLostException e) {
      return e.reason();
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
