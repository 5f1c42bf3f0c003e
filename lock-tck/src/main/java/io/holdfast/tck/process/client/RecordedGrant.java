package io.holdfast.tck.process.client;

import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockLostException;
import io.holdfast.error.LossReason;
import io.holdfast.tck.history.HistoryEvent.Believed;
import io.holdfast.tck.history.HistoryEvent.Downgraded;
import io.holdfast.tck.history.HistoryEvent.Extended;
import io.holdfast.tck.history.HistoryEvent.Lost;
import io.holdfast.tck.history.HistoryEvent.Released;
import io.holdfast.tck.history.HistoryEvent.Releasing;
import io.holdfast.tck.history.HistoryEvent.WriteRejected;
import io.holdfast.tck.history.HistoryEvent.Written;
import io.holdfast.tck.history.HistoryWriter;
import io.holdfast.tck.history.RequestTag;
import io.holdfast.tck.history.Span;
import io.holdfast.tck.process.client.FencedRegister.Answer;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A grant that writes down what its holder learns of it. */
public final class RecordedGrant {

  private final RequestTag request;
  private final Grant grant;
  private final HistoryWriter history;
  private final FencedRegister register;

  RecordedGrant(RequestTag request, Grant grant, HistoryWriter history, FencedRegister register) {
    this.request = request;
    this.grant = grant;
    this.history = history;
    this.register = register;
    grant.onLost(this::recordLoss);
  }

  public FencingToken token() {
    return grant.token();
  }

  public LockMode mode() {
    return grant.mode();
  }

  /** The answer of {@link Grant#check()}. */
  public enum Check {
    /** It returned. */
    HELD,
    /** It threw, and will do so for ever. */
    LOST,
    /** It was interrupted while it waited in jeopardy. */
    INTERRUPTED
  }

  public boolean isHeld() {
    long before = System.nanoTime();
    boolean held = grant.isHeld();
    Duration left = grant.remaining();
    Span call = Span.since(before);
    if (held) {
      history.record(new Believed(request, call, left));
    }
    return held;
  }

  public Check check() {
    try {
      grant.check();
      return Check.HELD;
    } catch (LockLostException e) {
      recordLoss(e.reason());
      return Check.LOST;
    } catch (LockInterruptedException e) {
      return Check.INTERRUPTED;
    }
  }

  /**
   * Reads the lock's register, thinks, and writes what follows from what it read.
   *
   * @return whether the register took it
   */
  public boolean update(Duration thinking) {
    long before = System.nanoTime();
    Answer read = register.read(token());
    LockSupport.parkNanos(thinking.toNanos());
    Answer answer = read instanceof Answer.Accepted ? register.write(token()) : read;
    Span call = Span.since(before);
    if (read instanceof Answer.Accepted base && answer instanceof Answer.Accepted written) {
      history.record(new Written(request, call, token(), base.serial(), written.serial()));
      return true;
    }
    history.record(new WriteRejected(request, call, token()));
    return false;
  }

  /** Makes it a shared grant, if it is not lost. */
  public void downgrade() {
    long before = System.nanoTime();
    try {
      grant.downgrade();
    } catch (LockLostException e) {
      recordLoss(e.reason());
      return;
    } catch (BackendUnreachableException | LockInterruptedException e) {
      // It is shared, also if the store has not answered.
    }
    history.record(new Downgraded(request, Span.since(before), grant.token()));
  }

  /** Moves the end of its longest time, if it is not lost. */
  public void extend(Duration atMost) {
    long before = System.nanoTime();
    try {
      grant.extend(atMost);
    } catch (LockLostException e) {
      recordLoss(e.reason());
      return;
    }
    history.record(new Extended(request, Span.since(before), atMost));
  }

  public ReleaseOutcome release() {
    long before = System.nanoTime();
    history.record(new Releasing(request, before));
    ReleaseOutcome outcome = grant.release();
    history.record(new Released(request, Span.since(before), outcome));
    return outcome;
  }

  private void recordLoss(LossReason reason) {
    history.record(new Lost(request, System.nanoTime(), reason));
  }
}
