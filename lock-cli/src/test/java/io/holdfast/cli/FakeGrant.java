package io.holdfast.cli;

import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A grant with a lease that a thread of its own renews like a session's, that can be told to stop
 * doing so, and that can be lost.
 */
public final class FakeGrant implements Grant {

  private final LockName name;
  private final Duration ttl;
  private final Runnable onRelease;
  private final List<Consumer<LossReason>> listeners = new ArrayList<>();
  private final Thread heart;
  private long renewedNanos = System.nanoTime();
  private @Nullable LossReason loss;
  private boolean beating = true;
  private boolean released;
  private boolean unused;
  private ReleaseOutcome outcome = ReleaseOutcome.FREED;

  /** Makes a grant that is in force; the action runs when it is given back. */
  public FakeGrant(String name, Duration ttl, Runnable onRelease) {
    this.name = new LockName(name);
    this.ttl = ttl;
    this.onRelease = onRelease;
    this.heart = new Thread(this::beat, "fake-heart");
    heart.setDaemon(true);
    heart.start();
  }

  private void beat() {
    try {
      while (true) {
        Thread.sleep(ttl.toMillis() / 3);
        synchronized (this) {
          if (beating) {
            renewedNanos = System.nanoTime();
          }
        }
      }
    } catch (InterruptedException e) {
      // Released.
    }
  }

  /** No renewal succeeds from now on. */
  public synchronized void stopBeating() {
    beating = false;
  }

  /** Loses the grant. */
  public void lose(LossReason reason) {
    List<Consumer<LossReason>> told;
    synchronized (this) {
      loss = reason;
      told = List.copyOf(listeners);
    }
    told.forEach(listener -> listener.accept(reason));
  }

  /** What the release is to answer. */
  public synchronized void outcome(ReleaseOutcome outcome) {
    this.outcome = outcome;
  }

  /** Returns whether it was given back. */
  public synchronized boolean isReleased() {
    return released;
  }

  /** Returns whether it was given back as one under which nothing was done. */
  public synchronized boolean isReleasedUnused() {
    return unused;
  }

  @Override
  public LockName name() {
    return name;
  }

  @Override
  public LockMode mode() {
    return LockMode.EXCLUSIVE;
  }

  @Override
  public FencingToken token() {
    return FencingToken.of(1_700_000_000_000_000L, 0);
  }

  @Override
  public Instant since() {
    return Instant.EPOCH;
  }

  @Override
  public boolean isHeld() {
    return !remaining().isZero();
  }

  @Override
  public void check() {
    if (!isHeld()) {
      throw new LockLostException("lost", LossReason.LEASE_EXPIRED);
    }
  }

  @Override
  public synchronized Duration remaining() {
    if (loss != null || released) {
      return Duration.ZERO;
    }
    Duration left = ttl.minusNanos(System.nanoTime() - renewedNanos);
    return left.isNegative() ? Duration.ZERO : left;
  }

  @Override
  public void downgrade() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void extend(Duration atMost) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void onLost(Consumer<LossReason> listener) {
    LossReason already;
    synchronized (this) {
      listeners.add(listener);
      already = loss;
    }
    if (already != null) {
      listener.accept(already);
    }
  }

  @Override
  public void handOver() {
    // Nobody asks for it twice.
  }

  @Override
  public ReleaseOutcome release() {
    synchronized (this) {
      released = true;
    }
    heart.interrupt();
    onRelease.run();
    return outcome;
  }

  @Override
  public ReleaseOutcome releaseUnused() {
    synchronized (this) {
      unused = true;
    }
    return release();
  }
}
