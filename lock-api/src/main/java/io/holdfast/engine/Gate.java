package io.holdfast.engine;

import io.holdfast.AlreadyHeldException;
import io.holdfast.Holder;
import io.holdfast.HoldfastException;
import io.holdfast.LockName;
import io.holdfast.engine.Seam.Lane;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the threads of one client that want the same lock queue, in order of arrival, so that the
 * store sees one request per lock. The place in the store's queue belongs to the gate: a thread
 * that gives up leaves it to the next one, and it is given up when no thread wants it any more.
 */
final class Gate {

  final LockName name;
  final Sessions sessions;

  private final Core core;
  private final Gates gates;
  private final Deque<Ticket> line = new ArrayDeque<>();
  private @Nullable PendingRequest pending;
  private @Nullable HeldGrant held;

  Gate(Core core, Gates gates, Sessions sessions, LockName name) {
    this.core = core;
    this.gates = gates;
    this.sessions = sessions;
    this.name = name;
  }

  /** The name without the client's prefix. */
  LockName publicName() {
    return gates.publicName(name);
  }

  /** Joins the line, and sends the request from this very thread if nobody is before it. */
  void enter(Ticket ticket) {
    HeldGrant present = held;
    if (present != null && present.belongsTo(ticket.owner)) {
      throw new AlreadyHeldException(
          "This thread holds the lock \"%s\" already, and the lock is not re-entrant: it would wait for itself. If another thread is to have the grant, hand it over."
              .formatted(publicName()));
    }
    boolean busy = present != null || !line.isEmpty();
    if (busy && ticket.isOnce()) {
      String who = present == null ? "another thread of this client asks" : "this client holds";
      complete(ticket, new Ticket.NotHad(who + " already"));
      return;
    }
    line.add(ticket);
    ticket.isInLine = true;
    advance(Lane.CALLER);
  }

  /**
   * A caller gives up. Returns false if its ticket was called up before: then it has its outcome.
   */
  boolean leave(Ticket ticket) {
    if (!line.remove(ticket)) {
      return false;
    }
    advance(Lane.BACKGROUND);
    return true;
  }

  /** Why the caller has not got the lock by now. */
  Ticket.Outcome whyNot(Ticket ticket) {
    if (held != null) {
      return new Ticket.NotHad("this client holds it");
    }
    PendingRequest asked = pending;
    if (asked == null) {
      return new Ticket.NotHad("other threads of this client were before it");
    }
    Optional<Duration> unanswered = asked.unansweredFor();
    Optional<RuntimeException> trouble =
        asked.trouble().or(() -> unanswered.flatMap(Gate::isTrouble));
    if (trouble.isPresent()) {
      return new Ticket.Failed(toUser(trouble.get()));
    }
    if (line.peek() != ticket) {
      return new Ticket.NotHad("other threads of this client were before it");
    }
    String unknown =
        unanswered.isPresent()
            ? "the store has not answered yet"
            : "others hold it or were before it";
    return new Ticket.NotHad(asked.seen().orElse(unknown));
  }

  private static Optional<RuntimeException> isTrouble(Duration unanswered) {
    return unanswered.compareTo(PendingRequest.CALL_TIMEOUT_MIN) < 0
        ? Optional.empty()
        : Optional.of(
            new BackendFailure(
                Effect.UNKNOWN, "the store has not answered for " + unanswered, null));
  }

  private void advance(Lane lane) {
    Ticket first = line.peek();
    PendingRequest present = pending;
    if (present != null && (first == null || !present.serves(first))) {
      pending = null;
      present.abandon();
    }
    if (first == null) {
      gates.forgetIfUnused(this);
    } else if (pending == null && held == null) {
      PendingRequest next = new PendingRequest(core, this, first);
      pending = next;
      next.start(lane);
    }
  }

  boolean isUnused() {
    return line.isEmpty() && pending == null && held == null;
  }

  /** What an earlier life of this process was granted; nobody here has asked for it. */
  void resumed(HeldGrant grant) {
    assert isUnused();
    held = grant;
  }

  void granted(PendingRequest by, HeldGrant grant) {
    assert pending == by;
    pending = null;
    Ticket first = line.remove();
    grant.belongTo(first.owner);
    held = grant;
    complete(first, new Ticket.Had(grant));
  }

  void refused(PendingRequest by) {
    callUp(by, new Ticket.NotHad(by.seen().orElse("somebody else holds it")));
  }

  void failed(PendingRequest by, RuntimeException failure) {
    callUp(by, new Ticket.Failed(toUser(failure)));
  }

  private void callUp(PendingRequest by, Ticket.Outcome outcome) {
    assert pending == by;
    pending = null;
    complete(line.remove(), outcome);
    advance(Lane.BACKGROUND);
  }

  /** The grant was given back, or is lost: whoever is next may ask. */
  void vacated(HeldGrant grant) {
    if (held == grant) {
      held = null;
      advance(Lane.BACKGROUND);
    }
  }

  /** Sends everybody away. */
  void close(HoldfastException because) {
    while (!line.isEmpty()) {
      complete(line.remove(), new Ticket.Failed(because));
    }
    advance(Lane.BACKGROUND);
  }

  private void complete(Ticket ticket, Ticket.Outcome outcome) {
    core.then(() -> ticket.outcome.complete(outcome));
  }

  private HoldfastException toUser(RuntimeException failure) {
    return Failures.toUser("Lock \"" + publicName() + "\"", core.backend.describe(), failure);
  }

  static String describe(Holder holder) {
    return "%s holds it since %s%s"
        .formatted(
            holder.process(),
            holder.since(),
            holder.why().isEmpty() ? "" : " (" + holder.why() + ")");
  }
}
