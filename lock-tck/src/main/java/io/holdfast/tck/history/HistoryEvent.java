package io.holdfast.tck.history;

import io.holdfast.FencingToken;
import io.holdfast.ReleaseOutcome;
import io.holdfast.SessionId;
import io.holdfast.error.LossReason;
import java.time.Duration;
import java.util.Optional;

/**
 * Something that a process of the run saw or did. Instants are nanoseconds of {@link
 * System#nanoTime()}.
 */
public sealed interface HistoryEvent {

  /** Returns the instant that the event stands under in a history; for a call, when it began. */
  long at();

  /** An event in the life of one request. */
  sealed interface OfRequest extends HistoryEvent {
    /** Returns the request. */
    RequestTag request();
  }

  /** An event that concerns everything a client does. */
  sealed interface OfClient extends HistoryEvent {
    /** Returns the client. */
    ClientTag client();
  }

  /** An event that concerns everything a process does. */
  sealed interface OfProcess extends HistoryEvent {
    /** Returns the process. */
    String process();
  }

  /**
   * A worker is about to ask for a lock; written before the call.
   *
   * @param lock the lock's name
   * @param maxWait how long it will wait, empty for ever
   * @param wanted how it wants to hold the lock
   */
  record Requested(
      RequestTag request, long at, String lock, Optional<Duration> maxWait, Wanted wanted)
      implements OfRequest {}

  /**
   * A look saw the request in the lock's queue.
   *
   * @param at just after the look returned
   * @param session whose place it is: a place is seen some time after the store gave it, and the
   *     client may have left that session by then
   */
  record Queued(RequestTag request, long at, SessionId session) implements OfRequest {}

  /**
   * The call returned with a grant.
   *
   * @param at just after it returned
   */
  record Granted(RequestTag request, long at, FencingToken token) implements OfRequest {}

  /**
   * The grant said that it is held.
   *
   * @param left for how long at least its lease, or its longest time, went on from the beginning of
   *     the call
   */
  record Believed(RequestTag request, Span call, Duration left) implements OfRequest {
    @Override
    public long at() {
      return call.before();
    }
  }

  /**
   * The holder was told that the grant is lost.
   *
   * @param at when it had been told
   */
  record Lost(RequestTag request, long at, LossReason reason) implements OfRequest {}

  /**
   * The grant was made a shared one, and has another token from then on, or the same.
   *
   * @param token the token after the call
   */
  record Downgraded(RequestTag request, Span call, FencingToken token) implements OfRequest {
    @Override
    public long at() {
      return call.before();
    }
  }

  /**
   * The end of the grant's longest time was moved.
   *
   * @param atMost how long after the call it comes
   */
  record Extended(RequestTag request, Span call, Duration atMost) implements OfRequest {
    @Override
    public long at() {
      return call.before();
    }
  }

  /** The holder is about to give the grant back; written before the call. */
  record Releasing(RequestTag request, long at) implements OfRequest {}

  /** The holder gave the grant back. */
  record Released(RequestTag request, Span call, ReleaseOutcome outcome) implements OfRequest {
    @Override
    public long at() {
      return call.before();
    }
  }

  /**
   * The lock's fenced register took a write.
   *
   * @param token what was sent along
   * @param basedOn the serial number of the write that the holder had read before, 0 for none
   * @param serial the place of this write in the register's own order
   */
  record Written(RequestTag request, Span call, FencingToken token, long basedOn, long serial)
      implements OfRequest {
    @Override
    public long at() {
      return call.before();
    }
  }

  /** The lock's fenced register refused a read or a write. */
  record WriteRejected(RequestTag request, Span call, FencingToken token) implements OfRequest {
    @Override
    public long at() {
      return call.before();
    }
  }

  /** The call returned without a grant because its time was up. */
  record TimedOut(RequestTag request, long at) implements OfRequest {}

  /** The call returned without a grant for another reason, named after the exception. */
  record Failed(RequestTag request, long at, String problem) implements OfRequest {}

  /** The client said that it has opened a session: its requests ask under this one from now on. */
  record SessionOpened(ClientTag client, long at, SessionId session) implements OfClient {}

  /** The client said that a session of its own is over: its places in queues may be gone. */
  record SessionExpired(ClientTag client, long at, SessionId session) implements OfClient {}

  /** The client is about to be closed; written before the call. */
  record ClientClosing(ClientTag client, long at) implements OfClient {}

  /** The client was closed. */
  record ClientClosed(ClientTag client, Span call) implements OfClient {
    @Override
    public long at() {
      return call.before();
    }
  }

  /** The process was killed without warning; at the end of the call it was gone. */
  record ProcessKilled(String process, Span call) implements OfProcess {
    @Override
    public long at() {
      return call.before();
    }
  }

  /** The process was stopped; at the end of the call none of its threads ran. */
  record ProcessPaused(String process, Span call) implements OfProcess {
    @Override
    public long at() {
      return call.before();
    }
  }

  /** The stopped process was let run again. */
  record ProcessContinued(String process, Span call) implements OfProcess {
    @Override
    public long at() {
      return call.before();
    }
  }
}
