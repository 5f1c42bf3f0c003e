package io.holdfast.cli.output;

import io.holdfast.LockEvent;
import io.holdfast.SessionState;
import java.time.Duration;
import java.util.function.Consumer;

/** Tells the user about events of the session, and keeps the TTL that the store granted. */
public final class SessionNews implements Consumer<LockEvent> {

  private final Messages messages;
  private volatile Duration ttl;
  private volatile boolean saidFailure;

  public SessionNews(Messages messages, Duration askedTtl) {
    this.messages = messages;
    this.ttl = askedTtl;
  }

  /**
   * Returns the session's TTL. The store may have granted a longer or shorter TTL than requested.
   */
  public Duration ttl() {
    return ttl;
  }

  /** Reports events of the session. Other events are reported by the code that they concern. */
  @Override
  public void accept(LockEvent event) {
    if (event instanceof LockEvent.SessionOpened opened) {
      ttl = opened.ttl();
    } else if (event instanceof LockEvent.HeartbeatFailed failed && !saidFailure) {
      // Reported once until a renewal succeeds, because it repeats often.
      saidFailure = true;
      messages.note("a renewal failed and is repeated: " + failed.problem());
    } else if (event instanceof LockEvent.SessionStateChanged changed
        && changed.to() == SessionState.SAFE) {
      if (saidFailure) {
        messages.note("the lease is renewed again");
      }
      saidFailure = false;
    } else if (event instanceof LockEvent.SessionStateChanged changed) {
      messages.note("the session is " + text(changed.to()) + ": " + changed.detail());
    } else if (event instanceof LockEvent.GrantRevokedLater revoked) {
      messages.note(
          "the lock was revoked with notice (by 'break --in'): it may be held for another "
              + Durations.show(revoked.left()));
    } else if (event instanceof LockEvent.GrantsDelayed delayed) {
      messages.note(
          "the store grants the lock to no client for another "
              + Durations.show(delayed.remaining())
              + ": "
              + delayed.why());
    } else if (event instanceof LockEvent.ClockSkewed skewed) {
      messages.note(
          "the store's clock advanced by "
              + Durations.show(skewed.store())
              + " while this machine's clock advanced by "
              + Durations.show(skewed.own()));
    }
  }

  private static String text(SessionState state) {
    return switch (state) {
      case SAFE -> "safe";
      case LATE -> "late with its renewal";
      case JEOPARDY -> "in jeopardy, its lease has run out";
      case EXPIRED -> "over";
    };
  }
}
