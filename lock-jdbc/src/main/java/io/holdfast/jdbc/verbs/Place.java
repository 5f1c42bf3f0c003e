package io.holdfast.jdbc.verbs;

import io.holdfast.record.Liveness;
import io.holdfast.record.RequestId;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The place of a request that waits.
 *
 * @param ahead how many stand before it, where all holders count as one
 * @param judged those of them that are judged, the nearest to the head first: the one directly
 *     ahead is among them
 */
record Place(LockRow lock, int ahead, List<Entry> judged) {

  /** How many are judged besides the one directly ahead. The others have time. */
  private static final int JUDGED_MAX = 32;

  static Place of(LockRow lock, RequestId request) {
    List<Entry> ahead = lock.ahead(request);
    int holders = lock.holders().size();
    return new Place(lock, 1 + ahead.size() - holders, judged(ahead, holders));
  }

  /** Of many holders each look judges others, so that in the end all who are dead are found. */
  private static List<Entry> judged(List<Entry> ahead, int holders) {
    if (ahead.size() <= JUDGED_MAX + 1) {
      return ahead;
    }
    int from = ThreadLocalRandom.current().nextInt(Math.max(1, holders - JUDGED_MAX));
    List<Entry> judged = new ArrayList<>(ahead.subList(from, from + JUDGED_MAX));
    judged.add(ahead.get(ahead.size() - 1));
    return judged;
  }

  /**
   * Whether a request that waited when the queue was read, and whose session was over later, may
   * have held in between: then it has a lock-delay, and is not to be taken out as one that waits.
   */
  boolean mayHaveHeld(Judge judge) {
    return judged.stream().anyMatch(entry -> mayHaveHeld(entry, judge));
  }

  private boolean mayHaveHeld(Entry entry, Judge judge) {
    return !lock.isHeldBy(entry) && judge.beginsDelay(entry);
  }

  /**
   * Returns how the request stands.
   *
   * @param later the queue as it was after the sessions were read; empty if it was not read again
   */
  Standing.Waiting standing(Judge judge, Optional<LockRow> later) {
    Entry next = judged.get(judged.size() - 1);
    Optional<Duration> due = lock.isHeldBy(next) ? judge.firstDueIn(judged) : judge.dueIn(next);
    return new Standing.Waiting(ahead, obstacles(judge, later), due);
  }

  private List<Obstacle> obstacles(Judge judge, Optional<LockRow> later) {
    Observed head = observed(lock.holders().get(0));
    List<Obstacle> obstacles = new ArrayList<>();
    for (Entry entry : judged) {
      Liveness liveness = judge.liveness(entry);
      boolean waitsStill =
          !mayHaveHeld(entry, judge)
              || later.filter(present -> present.hasQueued(entry.request())).isPresent();
      if (!liveness.counts() && waitsStill) {
        obstacles.add(
            new Obstacle(lock.isHeldBy(entry) ? observed(entry) : head, entry.request(), liveness));
      }
    }
    return obstacles;
  }

  private Observed observed(Entry holder) {
    return new Observed(lock.name(), lock.number(), holder.request());
  }
}
