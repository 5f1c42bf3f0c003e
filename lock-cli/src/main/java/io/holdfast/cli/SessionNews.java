package io.holdfast.cli;

import io.holdfast.LockEvent;
import io.holdfast.SessionState;
import java.time.Duration;
import java.util.function.Consumer;

/** Tells the user what they may want to know of the session, and keeps what it was granted. */
final class SessionNews implements Consumer<LockEvent> {

  private final Messages messages;
  private volatile Duration ttl;
  private volatile boolean saidFailure;

  SessionNews(Messages messages, Duration askedTtl) {
    this.messages = messages;
    this.ttl = askedTtl;
  }

  /** Returns the session's TTL: the store may have granted more or less than was asked for. */
  Duration ttl() {
    return ttl;
  }

  /** Other events are told by those whom they concern. */
  @Override
  public void accept(LockEvent event) {
    if (event instanceof LockEvent.SessionOpened opened) {
      ttl = opened.ttl();
    } else if (event instanceof LockEvent.HeartbeatFailed failed && !saidFailure) {
      // Once until it is well again: it is repeated often.
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
    } else if (event instanceof LockEvent.GrantsDelayed delayed) {
      messages.note(
          "nobody is granted the lock for another "
              + Durations.show(delayed.remaining())
              + ": "
              + delayed.why());
    } else if (event instanceof LockEvent.ClockSkewed skewed) {
      messages.note(
          "the store's clock went "
              + Durations.show(skewed.store())
              + " while ours went "
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
