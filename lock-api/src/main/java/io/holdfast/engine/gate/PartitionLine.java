package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Turn;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where the wishes for the locks of one partition line up before the {@link Intake} lets them ask,
 * in order of arrival. One that has to ask again goes to the end of the line. Wishes that ask once
 * have a line beside that of those that wait, and the two take turns: a thread that asks once wants
 * to know now.
 *
 * <p>The line is in trouble from a call that failed while no other was answered until one is,
 * whoever asked: a thread grabs or releases without any line. A renewal or a look that is answered
 * does not end it, since a store may do these and change no lock. In trouble few ask at a time,
 * those that wait after pauses that grow. When there is no doubt about the trouble, those that want
 * to ask once are told of it instead of being let in one after the other.
 */
final class PartitionLine implements Line {

  /** How many of one partition ask at a time: less than all, for the sake of the others. */
  private static final int ROOM = Intake.AT_A_TIME - 2;

  /** How many ask in trouble. Not one alone: its lock's calls may be all that fail. */
  private static final int ROOM_IN_TROUBLE = 2;

  /** So many are told of the trouble in one turn. */
  private static final int TOLD_AT_ONCE = 1_000;

  final int partition;

  private final Core core;
  private final Intake intake;
  private final Set<Wish> askingOnce = new LinkedHashSet<>();
  private final Set<Wish> waiting = new LinkedHashSet<>();

  /** Since when those that were let in have asked, or have had their last answer. */
  private final Map<Wish, Long> letIn = new HashMap<>();

  private boolean wasOnce;
  private Optional<RuntimeException> trouble = Optional.empty();
  private Optional<Long> answeredNanos = Optional.empty();
  private long pauseNanos = Wish.PAUSE_MIN_NANOS;
  private boolean isPausing;

  /** How many calls have failed since one was answered. */
  private int failures;

  private boolean isTelling;

  PartitionLine(Core core, Intake intake, int partition) {
    this.core = core;
    this.intake = intake;
    this.partition = partition;
  }

  @Override
  @GuardedBy("turn.lock")
  public void join(Wish wish, Turn turn) {
    (wish.asksOnce() ? askingOnce : waiting).add(wish);
    intake.letIn(turn);
    if (trouble.isPresent() && askingOnce.contains(wish)) {
      turn.after(Core.CALL_TIMEOUT.toNanos(), new TellOne(this, wish));
    }
  }

  @Override
  @GuardedBy("turn.lock")
  public boolean contains(Wish wish, Turn turn) {
    return askingOnce.contains(wish) || waiting.contains(wish);
  }

  @Override
  @GuardedBy("turn.lock")
  public void forget(Wish wish, Turn turn) {
    askingOnce.remove(wish);
    waiting.remove(wish);
  }

  @Override
  @GuardedBy("turn.lock")
  public void leaves(Wish wish, Turn turn) {
    if (letIn.remove(wish) != null) {
      intake.leaves(turn);
    }
  }

  @Override
  @GuardedBy("turn.lock")
  public boolean hasLetIn(Wish wish, Turn turn) {
    return letIn.containsKey(wish);
  }

  /** How many have been let in and have not left. */
  @GuardedBy("turn.lock")
  int asking(Turn turn) {
    return letIn.size();
  }

  /** Whether there is one to be let in, and room for it. */
  @GuardedBy("turn.lock")
  boolean mayLetIn(Turn turn) {
    int room = trouble.isPresent() ? ROOM_IN_TROUBLE : ROOM;
    return letIn.size() < room && (mayWaiterAsk(turn) || mayAskOnce(turn));
  }

  @GuardedBy("turn.lock")
  boolean mayWaiterAsk(Turn turn) {
    return !waiting.isEmpty() && !(trouble.isPresent() && isPausing);
  }

  /** In trouble not all that are let in, if others wait: new ones could come again and again. */
  @GuardedBy("turn.lock")
  boolean mayAskOnce(Turn turn) {
    return !askingOnce.isEmpty()
        && (trouble.isEmpty()
            || waiting.isEmpty()
            || letIn.keySet().stream().noneMatch(Wish::asksOnce));
  }

  @GuardedBy("turn.lock")
  void letIn(Turn turn) {
    wasOnce = !mayWaiterAsk(turn) || (!wasOnce && mayAskOnce(turn));
    Wish next = removeFirst(wasOnce ? askingOnce : waiting);
    letIn.put(next, core.seam.nanos());
    next.letIn(turn);
  }

  private static Wish removeFirst(Collection<Wish> wishes) {
    Iterator<Wish> first = wishes.iterator();
    Wish removed = first.next();
    first.remove();
    return removed;
  }

  @Override
  @GuardedBy("turn.lock")
  public void answered(Wish wish, Turn turn) {
    long now = core.seam.nanos();
    letIn.computeIfPresent(wish, (same, since) -> now);
  }

  /** The store has changed a lock of this partition, or has told why it does not. */
  @GuardedBy("turn.lock")
  void answered(Turn turn) {
    answeredNanos = Optional.of(core.seam.nanos());
    pauseNanos = Wish.PAUSE_MIN_NANOS;
    failures = 0;
    if (trouble.isPresent()) {
      trouble = Optional.empty();
      intake.letIn(turn);
    }
  }

  /**
   * A call for a wish has failed for a reason that may pass. If another was answered meanwhile, the
   * reason lies with its lock.
   */
  @Override
  @GuardedBy("turn.lock")
  public void failed(Wish wish, RuntimeException failure, Turn turn) {
    Long since = letIn.get(wish);
    if (since == null || (answeredNanos.isPresent() && answeredNanos.get() - since > 0)) {
      return;
    }
    trouble = Optional.of(failure);
    failures++;
    if (!isPausing) {
      isPausing = true;
      turn.after(pauseNanos, new EndPause());
      pauseNanos = Math.min(2 * pauseNanos, Wish.PAUSE_MAX_NANOS);
    }
    if (isBeyondDoubt(core.seam.nanos() - since, failures) && !isTelling && !askingOnce.isEmpty()) {
      isTelling = true;
      turn.after(0, new TellThoseThatAskOnce(List.copyOf(askingOnce)));
    }
  }

  /**
   * Whether nothing was answered for long, or more calls have failed than were under way when the
   * first did. One connection that breaks tells little of the store.
   */
  private static boolean isBeyondDoubt(long callNanos, int failed) {
    return callNanos >= Wish.CALL_TIMEOUT_MIN.toNanos() || failed > ROOM;
  }

  private final class EndPause implements Turn.Step {
    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      isPausing = false;
      intake.letIn(turn);
    }
  }

  /** Tells those that stood in line when a call failed; later ones ask for themselves. */
  private final class TellThoseThatAskOnce implements Turn.Step {
    private List<Wish> left;

    TellThoseThatAskOnce(List<Wish> all) {
      this.left = all;
    }

    @Override
    @GuardedBy("turn.lock")
    public void run(Turn turn) {
      int told = Math.min(TOLD_AT_ONCE, left.size());
      left.subList(0, told).forEach(wish -> tell(wish, turn));
      left = left.subList(told, left.size());
      isTelling = !left.isEmpty();
      if (isTelling) {
        turn.after(0, this);
      }
    }
  }

  @Override
  @GuardedBy("turn.lock")
  public void tell(Wish wish, Turn turn) {
    Optional<RuntimeException> present = trouble;
    if (present.isPresent() && askingOnce.remove(wish)) {
      wish.failed(present.get(), turn);
    }
  }

  /** The failure that the line is in trouble of, if it is. */
  @Override
  @GuardedBy("turn.lock")
  public Optional<RuntimeException> trouble(Turn turn) {
    return trouble;
  }

  /** For how long none of the wishes that were let in was answered, if any was let in. */
  @Override
  @GuardedBy("turn.lock")
  public Optional<Duration> unansweredFor(Turn turn) {
    long now = core.seam.nanos();
    return letIn.values().stream()
        .map(since -> now - since)
        .min(Long::compare)
        .map(Duration::ofNanos);
  }
}
