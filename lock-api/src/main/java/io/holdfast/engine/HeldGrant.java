package io.holdfast.engine;

import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockEvent;
import io.holdfast.LockInterruptedException;
import io.holdfast.LockLostException;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.LossReason;
import io.holdfast.ReleaseOutcome;
import io.holdfast.engine.Core.Turn;
import io.holdfast.engine.Seam.Lane;
import io.holdfast.spi.Released;
import io.holdfast.spi.RequestKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A grant of this client: in force while it was neither lost nor given back and its lease is. */
final class HeldGrant implements Grant {

  private final Core core;
  private final Session session;
  private final Gate gate;
  private final RequestKey key;
  private final LockName publicName;
  private final FencingToken token;
  private final Instant since;
  private final boolean ambiguous;

  /** The thread that acquired it or has used it since; null if it was handed over. */
  private volatile @Nullable Thread owner = Thread.currentThread();

  /** What interrupts the body that runs under it; null if there is none. */
  private volatile @Nullable Interrupter interrupter;

  /** Why it is not in force any more, apart from the lease; null while nothing is known. */
  private volatile @Nullable LossReason gone;

  private boolean releaseSent;
  private final List<Consumer<LossReason>> lostListeners = new ArrayList<>();
  private final List<Runnable> troubleListeners = new ArrayList<>();

  HeldGrant(
      Core core,
      Session session,
      Gate gate,
      RequestKey key,
      long number,
      Instant since,
      boolean ambiguous) {
    this.core = core;
    this.session = session;
    this.gate = gate;
    this.key = key;
    this.publicName = gate.publicName();
    this.token = FencingToken.of(number, 0);
    this.since = since;
    this.ambiguous = ambiguous;
    session.grants.put(key.request(), this);
  }

  @Override
  public LockName name() {
    return publicName;
  }

  @Override
  public LockMode mode() {
    return LockMode.EXCLUSIVE;
  }

  /** Makes it the grant of a thread. */
  void belongTo(Thread thread) {
    owner = thread;
  }

  boolean belongsTo(Thread thread) {
    return gone == null && thread.equals(owner);
  }

  private void used() {
    Thread user = Thread.currentThread();
    if (!user.equals(owner)) {
      owner = user;
    }
  }

  @Override
  public void handOver() {
    owner = null;
  }

  @Override
  public FencingToken token() {
    used();
    return token;
  }

  @Override
  public Instant since() {
    return since;
  }

  @Override
  public boolean isHeld() {
    used();
    return inForce();
  }

  boolean inForce() {
    return gone == null && session.inForce();
  }

  @Override
  public Duration remaining() {
    used();
    return gone == null ? Duration.ofNanos(Math.max(0, session.remainingNanos())) : Duration.ZERO;
  }

  @Override
  public void check() {
    if (isHeld()) {
      return;
    }
    Interrupter body = interrupter;
    if (body == null) {
      waitOutJeopardy();
    } else {
      body.withoutInterrupts(this::waitOutJeopardy);
    }
  }

  private void waitOutJeopardy() {
    CompletableFuture<Boolean> verdict;
    try (Turn asked = core.turn()) {
      verdict = session.verdict();
      if (gone == null) {
        session.renewNow();
      }
    }
    try {
      if (gone == null && !session.inForce()) {
        core.seam.await(verdict, Duration.ofNanos(core.settings.graceNanos(session.ttl())));
      }
    } catch (TimeoutException e) {
      throw lost(LossReason.LEASE_EXPIRED);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LockInterruptedException(
          "Interrupted while the lease of lock \"" + publicName + "\" was in jeopardy", e);
    }
    LossReason reason = gone;
    if (reason != null) {
      throw lost(reason);
    }
    if (!session.inForce()) {
      throw lost(LossReason.LEASE_EXPIRED);
    }
  }

  private LockLostException lost(LossReason reason) {
    return new LockLostException(
        "The lock \"%s\" (token %s) at %s is not held any more: %s. Stop what relied on it."
            .formatted(publicName, token, core.backend.describe(), reason),
        reason);
  }

  /** From now on a body runs under it. */
  void runs(Interrupter body) {
    interrupter = body;
    onTrouble(body::interrupt);
  }

  @Override
  public void onLost(Consumer<LossReason> listener) {
    try (Turn asked = core.turn()) {
      LossReason reason = gone;
      if (reason == null) {
        lostListeners.add(listener);
      } else if (reason != LossReason.RELEASED) {
        core.tell(listener, () -> listener.accept(reason));
      }
    }
  }

  /**
   * Calls the listener, on any thread, when the lease runs out, the grant is lost, or the client is
   * closed.
   */
  private void onTrouble(Runnable listener) {
    try (Turn asked = core.turn()) {
      troubleListeners.add(listener);
      if (gone != null || !session.inForce()) {
        core.tell(listener, listener);
      }
    }
  }

  /** Why it was lost, if it was. */
  @Nullable LossReason gone() {
    return gone;
  }

  void tellTrouble() {
    // What an interrupt sets off, like the closing of a channel, may block.
    troubleListeners.forEach(listener -> core.tell(listener, listener));
  }

  /**
   * The grant is not in force any more. What was revoked stays in the store until the application
   * gives it back, so that whatever it still has to stop is stopped before the lock passes on.
   */
  void lose(LossReason reason) {
    if (gone != null) {
      return;
    }
    gone = reason;
    core.emit(new LockEvent.GrantLost(publicName, token, reason));
    tellLost(reason);
    gate.vacated(this);
  }

  private void tellLost(LossReason reason) {
    for (Consumer<LossReason> listener : lostListeners) {
      core.tell(listener, () -> listener.accept(reason));
    }
    lostListeners.clear();
    tellTrouble();
  }

  @Override
  public ReleaseOutcome release() {
    Answer answer = new Answer();
    try (Turn asked = core.turn()) {
      LossReason reason = gone;
      gone = reason == null ? LossReason.RELEASED : reason;
      if (reason == null) {
        send(answer);
      } else if (reason == LossReason.RELEASED || reason == LossReason.CLIENT_CLOSED) {
        answer.outcome = ReleaseOutcome.ALREADY_RELEASED;
      } else if (reason == LossReason.ORPHANED) {
        answer.outcome = ReleaseOutcome.ORPHANED;
      } else if (reason == LossReason.REVOKED && !releaseSent) {
        releaseSent = true;
        leave();
        session.withdraw(key);
      }
    }
    return answer.outcome;
  }

  /** Filled in by the time a turn with a call in the caller's lane is over. */
  private static final class Answer {
    ReleaseOutcome outcome = ReleaseOutcome.LOST;
  }

  private void send(Answer answer) {
    releaseSent = true;
    core.<Released>call(
        Lane.CALLER,
        Core.CALL_TIMEOUT,
        deadline -> core.backend.release(key.name(), key.request(), deadline),
        released -> {
          answer.outcome =
              switch (released) {
                case HANDED_ON -> ReleaseOutcome.HANDED_ON;
                case FREED -> ReleaseOutcome.FREED;
                case WAS_WAITING, NOTHING -> ReleaseOutcome.LOST;
              };
          leave();
          gate.vacated(this);
        },
        failure -> {
          answer.outcome = ReleaseOutcome.PENDING;
          core.emit(new LockEvent.ReleasePending(publicName, token, Failures.describe(failure)));
          leave();
          session.withdraw(key);
          gate.vacated(this);
        });
  }

  private void leave() {
    session.grants.remove(key.request());
    if (ambiguous) {
      session.unsettle(key);
    }
    session.closeIfRetired();
  }

  /** The client closes: the store hears of it with the client's other requests. */
  RequestKey giveUp(LossReason why) {
    if (gone == null) {
      gone = why;
      tellLost(why); // Somebody may be at work under it.
    }
    releaseSent = true;
    return key;
  }

  @Override
  public String toString() {
    return "Grant[" + publicName + ", token " + token + "]";
  }
}
