package io.holdfast.memory.toy;

import io.holdfast.AcquireOptions;
import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.memory.toy.ToyEntry.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A grant of a toy. */
final class ToyGrant implements Grant {

  private final ToyStore store;
  private final Flaw flaw;
  private final LockName name;
  private final ToySession session;
  private final long request;
  private final long token;
  private final CompletableFuture<LossReason> lost = new CompletableFuture<>();
  private final AcquireOptions options;
  private final long acquiredNanos = System.nanoTime();
  private volatile long longestUntilNanos;
  private volatile boolean released;

  ToyGrant(
      ToyStore store,
      Flaw flaw,
      LockName name,
      ToySession session,
      long request,
      long token,
      AcquireOptions options) {
    this.store = store;
    this.flaw = flaw;
    this.name = name;
    this.session = session;
    this.request = request;
    this.token = token;
    this.options = options;
    this.longestUntilNanos = acquiredNanos + options.atMost().orElse(Duration.ZERO).toNanos();
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
    return new FencingToken(token);
  }

  @Override
  public Instant since() {
    return Instant.EPOCH;
  }

  @Override
  public boolean isHeld() {
    if (released) {
      return flaw == Flaw.BELIEVES_WHEN_RELEASED;
    }
    if (isTimeUp()) {
      lose(LossReason.AT_MOST_REACHED);
    }
    return flaw == Flaw.BELIEVES_WHEN_LOST || (!lost.isDone() && session.isInForce());
  }

  private boolean isTimeUp() {
    return flaw != Flaw.HOLDS_WITHOUT_END
        && options.atMost().isPresent()
        && longestUntilNanos - System.nanoTime() <= 0;
  }

  @Override
  public void check() {
    while (!isHeld()) {
      if (released) {
        throw new LockLostException(name + " was given back", LossReason.RELEASED);
      }
      if (lost.isDone()) {
        throw new LockLostException(name + " is lost", lost.join());
      }
      try {
        TimeUnit.MILLISECONDS.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new LockInterruptedException("Interrupted while in doubt of " + name, e);
      }
    }
  }

  @Override
  public Duration remaining() {
    return isHeld() ? session.remaining() : Duration.ZERO;
  }

  @Override
  public void downgrade() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void extend(Duration atMost) {
    if (!isHeld() && lost.isDone()) {
      throw new LockLostException(name + " is lost", lost.join());
    }
    longestUntilNanos = System.nanoTime() + atMost.toNanos();
  }

  @Override
  public void onLost(Consumer<LossReason> listener) {
    var unused = lost.thenAccept(listener);
  }

  @Override
  public void handOver() {
    // Grants of toys belong to nobody.
  }

  @Override
  public ReleaseOutcome release() {
    if (released) {
      return ReleaseOutcome.ALREADY_RELEASED;
    }
    released = true;
    session.remove(this);
    boolean timeIsUp = lost.isDone() && lost.join() == LossReason.AT_MOST_REACHED;
    if ((lost.isDone() && !timeIsUp) || session.isOver()) {
      return ReleaseOutcome.LOST;
    }
    long staysForNanos = acquiredNanos + options.atLeast().toNanos() - System.nanoTime();
    if (staysForNanos <= 0 || flaw == Flaw.FREES_WHAT_STAYS) {
      store.step(Kind.LEAVE, ToyLock.number(name), session.id, request);
    } else {
      long millis = TimeUnit.NANOSECONDS.toMillis(staysForNanos) + 1;
      store.step(Kind.BURY, ToyLock.number(name), session.id, ToyStore.nowMillis() + millis);
    }
    if (staysForNanos > 0) {
      return ReleaseOutcome.STAYS;
    }
    return timeIsUp ? ReleaseOutcome.LOST : ReleaseOutcome.FREED;
  }

  @Override
  public ReleaseOutcome releaseUnused() {
    return release(); // What works with toys uses what it gets.
  }

  void lose(LossReason reason) {
    lost.complete(reason);
  }
}
