package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.turn.Turn;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Where the wishes for the locks of one partition line up before the {@link Intake} lets them ask,
 * in order of arrival. One that has to ask again goes to the end of the line. Wishes that ask once
 * have a line beside that of those that wait, and the two take turns: who asks once wants to know
 * now.
 */
final class PartitionLine {

  final int partition;

  private final Intake intake;
  private final Set<Wish> askingOnce = new LinkedHashSet<>();
  private final Set<Wish> waiting = new LinkedHashSet<>();
  private final Set<Wish> letIn = new HashSet<>();
  private boolean wasOnce;
  private Optional<RuntimeException> trouble = Optional.empty();

  PartitionLine(Intake intake, int partition) {
    this.intake = intake;
    this.partition = partition;
  }

  /** A wish wants to ask; it is told when it may, possibly now. */
  @GuardedBy("turn.lock")
  void join(Wish wish, Turn turn) {
    (wish.asksOnce() ? askingOnce : waiting).add(wish);
    intake.letIn(turn);
  }

  /** Whether a wish waits here until it may ask. */
  @GuardedBy("turn.lock")
  boolean contains(Wish wish, Turn turn) {
    return askingOnce.contains(wish) || waiting.contains(wish);
  }

  /** A wish that may be in the line does not want to ask any more. */
  @GuardedBy("turn.lock")
  void forget(Wish wish, Turn turn) {
    askingOnce.remove(wish);
    waiting.remove(wish);
  }

  /** What a wish was let in for, if it was, is answered. */
  @GuardedBy("turn.lock")
  void leaves(Wish wish, Turn turn) {
    if (letIn.remove(wish)) {
      intake.leaves(turn);
    }
  }

  /**
   * Whether there is one to be let in, and room for it. While the partition does not answer one at
   * a time tries whether it does again.
   */
  @GuardedBy("turn.lock")
  boolean mayLetIn(int roomMax, Turn turn) {
    int room = trouble.isPresent() ? 1 : roomMax;
    return letIn.size() < room && !(askingOnce.isEmpty() && waiting.isEmpty());
  }

  @GuardedBy("turn.lock")
  void letIn(Turn turn) {
    wasOnce = waiting.isEmpty() || (!wasOnce && !askingOnce.isEmpty());
    Wish next = removeFirst(wasOnce ? askingOnce : waiting);
    letIn.add(next);
    next.letIn(turn);
  }

  private static Wish removeFirst(Collection<Wish> wishes) {
    Iterator<Wish> first = wishes.iterator();
    Wish removed = first.next();
    first.remove();
    return removed;
  }

  /** A call for the partition was answered, or failed for a reason that may pass. */
  @GuardedBy("turn.lock")
  void heard(Optional<RuntimeException> failure, Turn turn) {
    trouble = failure;
  }

  /** The failure that the last call ended with, if it did. */
  @GuardedBy("turn.lock")
  Optional<RuntimeException> trouble(Turn turn) {
    return trouble;
  }

  /** For how long none of the wishes that were let in was answered, if each of them asks. */
  @GuardedBy("turn.lock")
  Optional<Duration> unansweredFor(Turn turn) {
    Optional<Duration> shortest = Optional.empty();
    for (Wish wish : letIn) {
      Optional<Duration> unanswered = wish.unansweredFor(turn);
      if (unanswered.isEmpty()) {
        return Optional.empty();
      }
      shortest = shortest.filter(d -> d.compareTo(unanswered.get()) <= 0).or(() -> unanswered);
    }
    return shortest;
  }
}
