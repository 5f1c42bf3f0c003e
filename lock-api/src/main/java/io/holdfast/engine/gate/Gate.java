package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.engine.hold.GivenBack;
import io.holdfast.engine.hold.HeldGrant;
import io.holdfast.engine.hold.Hold;
import io.holdfast.engine.hold.HoldGate;
import io.holdfast.engine.seam.Seam.Runner;
import io.holdfast.engine.session.Session;
import io.holdfast.engine.session.Sessions;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Failures;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.AlreadyHeldException;
import io.holdfast.error.HoldfastException;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.Stay;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the threads of one client that want the same lock queue, in order of arrival, so that the
 * store sees one request per lock, or one for each of the terms on which they share it. The place
 * in the store's queue belongs to the gate: a thread that gives up leaves it to the next one, and
 * it is given up when no thread wants it any more.
 */
public final class Gate implements HoldGate {

  final LockName name;
  final Sessions sessions;

  private final Core core;
  private final Gates gates;

  private final TicketLine line = new TicketLine();

  private @Nullable Wish wish;

  /** The numbers granted to it; more than one only if threads share it on different terms. */
  private final List<Hold> holds = new ArrayList<>(1);

  /** Made when the first of them leaves. */
  private @Nullable EarlierRequests earlier;

  Gate(Core core, Gates gates, Sessions sessions, LockName name) {
    this.core = core;
    this.gates = gates;
    this.sessions = sessions;
    this.name = name;
  }

  /** The name without the client's prefix. */
  @Override
  public LockName publicName() {
    return gates.publicName(name);
  }

  /** Returns the line of wishes for which no thread waits. */
  @GuardedBy("turn.lock")
  PartitionLine line(Turn turn) {
    int partition;
    try {
      partition = core.backend.partition(name);
    } catch (RuntimeException mistake) {
      partition = 0; // The opening of its session tells of it.
    }
    return gates.intake.line(partition, turn);
  }

  @Override
  @GuardedBy("turn.lock")
  public void answered(Session session, Turn turn) {
    gates.intake.answered(session.key.partition(), turn);
  }

  /** Returns the line of wishes for which a thread waits and which ask in the background. */
  Turnstile turnstile() {
    return gates.turnstile;
  }

  /** The timer of a hold that is over may come later than this thread. */
  @GuardedBy("turn.lock")
  void loseWhatIsOver(Turn turn) {
    for (Hold present : List.copyOf(holds)) {
      present.loseIfTimeIsUp(turn);
    }
  }

  /** Joins the line, and has this very thread send the request if no other thread is before it. */
  @GuardedBy("turn.lock")
  public void enter(Ticket ticket, Turn turn) {
    if (belongsToOwner(ticket, turn)) {
      // An outcome, not thrown from here: what this turn has noted by now is carried out.
      turn.complete(ticket.outcome, new Ticket.Failed(alreadyHeld()));
      return;
    }
    boolean busy = !line.isEmpty() || isTakenFrom(ticket, turn);
    if (busy && ticket.isOnce()) {
      String who = holds.isEmpty() ? "another thread of this client asks" : "this client holds";
      turn.complete(ticket.outcome, new Ticket.NotAcquired(who + " already"));
      return;
    }
    line.add(ticket);
    ticket.joins(this);
    advance(ticket.runner(), turn);
  }

  /** Whether the thread that waits for a ticket would wait for itself. */
  @GuardedBy("turn.lock")
  private boolean belongsToOwner(Ticket ticket, Turn turn) {
    if (ticket.owner == null) {
      return false;
    }
    for (Hold present : holds) {
      if (present.belongsTo(ticket.owner, turn)) {
        return true;
      }
    }
    return false;
  }

  private AlreadyHeldException alreadyHeld() {
    return new AlreadyHeldException(
        "This thread holds the lock \"%s\" already, and the lock is not re-entrant: it would wait for itself. If another thread is to have the grant, hand it over."
            .formatted(publicName()));
  }

  /** Whether threads have it, and a ticket can neither ride on theirs nor ask beside them. */
  @GuardedBy("turn.lock")
  private boolean isTakenFrom(Ticket ticket, Turn turn) {
    boolean isTaken = false;
    for (Hold present : holds) {
      if (present.mayBeRiddenBy(ticket.terms, turn)) {
        return false;
      }
      isTaken |= present.isHadByAThread(turn) && !present.mayBeJoinedBy(ticket.terms, turn);
    }
    return isTaken;
  }

  /**
   * A caller gives up. Returns false if its ticket was called up before: then it has its outcome.
   */
  @GuardedBy("turn.lock")
  public boolean leave(Ticket ticket, Turn turn) {
    if (!line.remove(ticket)) {
      return false;
    }
    advance(Runner.BACKGROUND, turn);
    return true;
  }

  /** Why the caller has not got the lock by now. */
  @GuardedBy("turn.lock")
  public Ticket.Outcome whyNot(Ticket ticket, Turn turn) {
    Wish asked = wish;
    Optional<Duration> unanswered = unansweredFor(turn);
    Optional<RuntimeException> trouble =
        (asked == null ? Optional.<RuntimeException>empty() : asked.trouble(turn))
            .or(() -> unanswered.flatMap(Gate::asTrouble));
    if (trouble.isPresent()) {
      return new Ticket.Failed(toUser(trouble.get()));
    }
    if (asked == null && !holds.isEmpty()) {
      return new Ticket.NotAcquired("this client holds it");
    }
    if (line.peek() != ticket) {
      return new Ticket.NotAcquired("other threads of this client were before it");
    }
    if (asked == null) {
      return new Ticket.NotAcquired("this client was taking an earlier request of its own back");
    }
    String unknown =
        unanswered.isPresent()
            ? "the store has not answered yet"
            : holds.isEmpty() ? "others hold it or were before it" : "this client holds it";
    return new Ticket.NotAcquired(asked.whyNotGranted(turn).orElse(unknown));
  }

  /** For how long a call has been under way without which no thread gets the lock, if one is. */
  @GuardedBy("turn.lock")
  private Optional<Duration> unansweredFor(Turn turn) {
    Wish asked = wish;
    if (asked != null) {
      return asked.unansweredFor(turn);
    }
    EarlierRequests before = earlier;
    return before != null && holds.isEmpty() ? before.unansweredFor(turn) : Optional.empty();
  }

  private static Optional<RuntimeException> asTrouble(Duration unanswered) {
    return unanswered.compareTo(Wish.CALL_TIMEOUT_MIN) < 0
        ? Optional.empty()
        : Optional.of(
            new BackendFailure(
                Effect.UNKNOWN, "the store has not answered for " + unanswered, null));
  }

  @GuardedBy("turn.lock")
  private void advance(Runner runner, Turn turn) {
    if (!line.isEmpty()) { // Each tick comes here for each hold.
      rideOn(turn);
      for (Hold present : List.copyOf(holds)) {
        takeKept(present, turn);
      }
    }
    Ticket first = line.peek();
    Wish present = wish;
    if (present != null && first != null && present.serves(first, turn)) {
      present.goesOnFor(first, turn);
    } else if (present != null) {
      wish = null;
      present.abandon(turn);
    }
    if (first == null) {
      gates.forgetIfUnused(this, turn);
    } else if (wish == null && mayAsk(first, turn)) {
      Wish next = new Wish(core, this, first);
      wish = next;
      next.begin(runner, turn);
    }
  }

  /**
   * Whether nothing that is held here keeps a ticket from a request of its own, and no earlier
   * request that a thread would wait behind.
   */
  @GuardedBy("turn.lock")
  private boolean mayAsk(Ticket first, Turn turn) {
    if (isOneLeaving(turn) && !first.isOnce()) {
      return false;
    }
    for (Hold present : holds) {
      if (!present.mayBeJoinedBy(first.terms, turn)
          && !present.mayBeFollowedBy(first.terms, turn)) {
        return false;
      }
    }
    return true;
  }

  /** The first in line share a number that threads of this client have. */
  @GuardedBy("turn.lock")
  private void rideOn(Turn turn) {
    Hold shared = ridden(turn);
    while (shared != null) {
      callUp(shared, turn);
      shared = ridden(turn);
    }
  }

  /** Returns that on which the first in line may ride. */
  @GuardedBy("turn.lock")
  private @Nullable Hold ridden(Turn turn) {
    Ticket first = line.peek();
    if (first != null) {
      for (Hold present : holds) {
        if (present.mayBeRiddenBy(first.terms, turn)) {
          return present;
        }
      }
    }
    return null;
  }

  /** A kept hold goes to a thread that asks for the same, else back to the store. */
  @GuardedBy("turn.lock")
  private void takeKept(Hold kept, Turn turn) {
    Ticket first = line.peek();
    if (first == null || !kept.isKept(turn)) {
      return;
    }
    if (!kept.mayBeTakenBy(first.terms, turn)) {
      kept.giveUp(turn);
    } else if (kept.isSafe()) {
      callUp(kept, turn);
      rideOn(turn);
    } else if (first.isOnce()) {
      Ticket unused = line.removeFirst();
      String why = "this client keeps it, and a renewal of its lease is overdue";
      turn.complete(first.outcome, new Ticket.NotAcquired(why));
      advance(Runner.BACKGROUND, turn);
    } // Else the renewal decides.
  }

  @Override
  @GuardedBy("turn.lock")
  public void mayGoOn(Turn turn) {
    advance(Runner.BACKGROUND, turn);
  }

  @GuardedBy("turn.lock")
  boolean isUnused(Turn turn) {
    return line.isEmpty() && wish == null && holds.isEmpty() && !isOneLeaving(turn);
  }

  /** A request of it leaves the store. Returns the step for when that was tried. */
  @GuardedBy("turn.lock")
  Turn.Step leaves(Turn turn) {
    EarlierRequests before = earlier;
    if (before == null) {
      before = new EarlierRequests(core.seam, new MayGoOn());
      earlier = before;
    }
    return before.leaves(turn);
  }

  @GuardedBy("turn.lock")
  private boolean isOneLeaving(Turn turn) {
    EarlierRequests before = earlier;
    return before != null && before.areLeaving(turn);
  }

  private final class MayGoOn implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      mayGoOn(turn);
    }
  }

  /**
   * Whether a request held since an earlier life of this process may be held here: no thread asks
   * for the lock, and every hold here, which may be of that life too, shares it as well.
   */
  @GuardedBy("turn.lock")
  boolean mayResume(LockMode mode, Turn turn) {
    boolean isShared = mode == LockMode.SHARED && holds.stream().allMatch(Hold::isShared);
    return line.isEmpty() && wish == null && (holds.isEmpty() || isShared);
  }

  /** An earlier life of this process holds it. */
  @GuardedBy("turn.lock")
  public void resumed(Hold left, LockMode mode, Turn turn) {
    assert mayResume(mode, turn);
    holds.add(left);
  }

  /** Grants the first in line what its wish has led to. */
  @GuardedBy("turn.lock")
  void granted(Wish by, Hold granted, Turn turn) {
    assert by.equals(wish);
    wish = null;
    holds.add(granted);
    callUp(granted, turn);
    advance(Runner.BACKGROUND, turn);
  }

  @GuardedBy("turn.lock")
  private void callUp(Hold present, Turn turn) {
    Ticket first = line.first();
    HeldGrant grant = present.grantTo(first.owner, turn);
    boolean unused = line.remove(first);
    turn.complete(first.outcome, new Ticket.Acquired(grant));
  }

  @Override
  @GuardedBy("turn.lock")
  public GivenBack givenBack(Hold present, HeldGrant grant, Turn turn) {
    if (present.isSharedAfter(grant, turn)) {
      return GivenBack.RIDDEN;
    }
    Ticket next = line.peek();
    boolean isHere = holds.contains(present);
    if (isHere && next != null && present.mayBePassedTo(next.terms, turn)) {
      callUp(present, turn);
      advance(Runner.BACKGROUND, turn);
      return GivenBack.PASSED_ON;
    }
    if (isHere && next == null && present.mayBeKept(turn)) {
      present.keep(turn);
      return GivenBack.KEPT;
    }
    present.leave(turn);
    return GivenBack.LEAVING;
  }

  @GuardedBy("turn.lock")
  void refused(Wish by, Turn turn) {
    String why = by.whyNotGranted(turn).orElse("another client holds it");
    sendAway(by, new Ticket.NotAcquired(why), turn);
  }

  @GuardedBy("turn.lock")
  void failed(Wish by, RuntimeException failure, Turn turn) {
    sendAway(by, new Ticket.Failed(toUser(failure)), turn);
  }

  @GuardedBy("turn.lock")
  private void sendAway(Wish by, Ticket.Outcome outcome, Turn turn) {
    assert by.equals(wish);
    wish = null;
    turn.complete(line.removeFirst().outcome, outcome);
    advance(Runner.BACKGROUND, turn);
  }

  @Override
  @GuardedBy("turn.lock")
  public void vacated(Hold by, Turn turn) {
    if (holds.remove(by)) {
      advance(Runner.BACKGROUND, turn);
    }
  }

  /** Sends all threads away. */
  @GuardedBy("turn.lock")
  void close(HoldfastException because, Turn turn) {
    while (!line.isEmpty()) {
      turn.complete(line.removeFirst().outcome, new Ticket.Failed(because));
    }
    advance(Runner.BACKGROUND, turn);
  }

  private HoldfastException toUser(RuntimeException failure) {
    return Failures.toUser("Lock \"" + publicName() + "\"", core.backend.describe(), failure);
  }

  static String describe(Holder holder) {
    String process = printable(holder.process().value());
    String why = holder.why().isEmpty() ? "" : " (" + printable(holder.why()) + ")";
    Optional<Stay> stay = holder.stay().filter(any -> holder.liveness() == Liveness.STAYING);
    if (stay.isEmpty()) {
      return "%s holds it since %s%s".formatted(process, holder.since(), why);
    }
    String left = stay.get().left().toMillis() + " ms";
    return stay.get().reason() == Stay.Reason.AT_LEAST
        ? "%s%s gave it back, and its least time has %s left".formatted(process, why, left)
        : "the session of %s%s ended, and its lock-delay has %s left".formatted(process, why, left);
  }

  /** Any user of the store may give any reason, and it ends up in the logs of others. */
  private static String printable(String text) {
    StringBuilder printable = new StringBuilder(text.length());
    text.codePoints().map(c -> isPrintable(c) ? c : '\ufffd').forEach(printable::appendCodePoint);
    return printable.toString();
  }

  private static boolean isPrintable(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
