package io.holdfast.tck.process;

import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockInterruptedException;
import io.holdfast.LockLostException;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.LossReason;
import io.holdfast.ReleaseOutcome;
import io.holdfast.tck.process.ToyEntry.Kind;
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
  private final long serial;
  private final long token;
  private final CompletableFuture<LossReason> lost = new CompletableFuture<>();
  private volatile boolean released;

  ToyGrant(ToyStore store, Flaw flaw, LockName name, ToySession session, long serial, long token) {
    this.store = store;
    this.flaw = flaw;
    this.name = name;
    this.session = session;
    this.serial = serial;
    this.token = token;
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
    return flaw == Flaw.BELIEVES_WHEN_LOST || (!lost.isDone() && session.isInForce());
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
    return Duration.ZERO;
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
    if (lost.isDone() || session.isOver()) {
      return ReleaseOutcome.LOST;
    }
    store.step(Kind.LEAVE, ToyLock.number(name), session.id, serial);
    return ReleaseOutcome.FREED;
  }

  void lose(LossReason reason) {
    lost.complete(reason);
  }
}
