package io.holdfast.engine.gate;

import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * The tickets in front of a gate, in order of arrival. Each is linked with its neighbours: it
 * leaves at the same cost wherever it stands, so that tens of thousands that give up at the same
 * time do not keep the lock around the client's state for long. Guarded by the turn.
 */
final class TicketLine {

  private @Nullable Ticket first;
  private @Nullable Ticket last;

  boolean isEmpty() {
    return first == null;
  }

  /** Returns the first, or null if there is none. */
  @Nullable Ticket peek() {
    return first;
  }

  /** Returns the first, which there must be. */
  Ticket first() {
    Ticket present = first;
    if (present == null) {
      throw new NoSuchElementException("No ticket is in the line");
    }
    return present;
  }

  /** A ticket that is in no line joins at the end. */
  void add(Ticket ticket) {
    assert !contains(ticket);
    Ticket before = last;
    ticket.before = before;
    if (before == null) {
      first = ticket;
    } else {
      before.after = ticket;
    }
    last = ticket;
  }

  /** Removes the first, which there must be, and returns it. */
  Ticket removeFirst() {
    Ticket present = first();
    boolean removed = remove(present);
    assert removed;
    return present;
  }

  /** Returns whether the ticket was in this line. No ticket is ever asked about in another one. */
  boolean remove(Ticket ticket) {
    if (!contains(ticket)) {
      return false;
    }
    Ticket before = ticket.before;
    Ticket after = ticket.after;
    if (before == null) {
      first = after;
    } else {
      before.after = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.before = before;
    }
    ticket.before = null;
    ticket.after = null;
    return true;
  }

  private boolean contains(Ticket ticket) {
    return ticket.before != null || first == ticket;
  }
}
