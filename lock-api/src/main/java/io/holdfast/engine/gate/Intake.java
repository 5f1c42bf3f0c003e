package io.holdfast.engine.gate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.seam.ThreadedSeam;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Lets the wishes for which no thread waits ask the store, a few at a time: however many there are,
 * threads for other calls are free. Each partition has a {@link PartitionLine line} of its own, and
 * the lines take turns, so that a partition that does not answer keeps no other waiting.
 */
final class Intake {

  /** How many ask at a time: a third of the threads for calls in the background. */
  static final int AT_A_TIME = ThreadedSeam.BACKGROUND_MAX / 3;

  /** How many of them are of lines in trouble: the others are for partitions that answer. */
  private static final int OF_TROUBLE = AT_A_TIME / 2;

  private final Core core;
  private final List<PartitionLine> lines = new ArrayList<>();
  private int served;
  private int free = AT_A_TIME;
  private boolean isLettingIn;

  Intake(Core core) {
    this.core = core;
  }

  /** Returns the line of a partition. */
  @GuardedBy("turn.lock")
  PartitionLine line(int partition, Turn turn) {
    for (PartitionLine line : lines) {
      if (line.partition == partition) {
        return line;
      }
    }
    PartitionLine added = new PartitionLine(core, this, partition);
    lines.add(added);
    return added;
  }

  /** The store has answered about a lock of a partition, whether or not a line has asked. */
  @GuardedBy("turn.lock")
  void answered(int partition, Turn turn) {
    for (PartitionLine line : lines) {
      if (line.partition == partition) {
        line.answered(turn);
      }
    }
  }

  /** One that was let in has been answered. */
  @GuardedBy("turn.lock")
  void leaves(Turn turn) {
    free++;
    letIn(turn);
  }

  @GuardedBy("turn.lock")
  void letIn(Turn turn) {
    if (isLettingIn) {
      return; // One that was let in leaves at once; the loop below goes on.
    }
    isLettingIn = true;
    try {
      Optional<PartitionLine> next = next(turn);
      while (next.isPresent()) {
        free--;
        next.get().letIn(turn);
        next = next(turn);
      }
    } finally {
      isLettingIn = false;
    }
  }

  /** Returns the line whose turn it is. */
  @GuardedBy("turn.lock")
  private Optional<PartitionLine> next(Turn turn) {
    if (free == 0) {
      return Optional.empty();
    }
    boolean isRoomForTrouble = inTrouble(turn) < OF_TROUBLE;
    for (int i = 1; i <= lines.size(); i++) {
      int index = (served + i) % lines.size();
      PartitionLine line = lines.get(index);
      if (line.mayLetIn(turn) && (isRoomForTrouble || line.trouble(turn).isEmpty())) {
        served = index;
        return Optional.of(line);
      }
    }
    return Optional.empty();
  }

  @GuardedBy("turn.lock")
  private int inTrouble(Turn turn) {
    int asking = 0;
    for (PartitionLine line : lines) {
      asking += line.trouble(turn).isEmpty() ? 0 : line.asking(turn);
    }
    return asking;
  }
}
