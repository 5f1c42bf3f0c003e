package io.holdfast.tck.history.check;

import io.holdfast.tck.history.HistoryEvent;
import io.holdfast.tck.history.HistoryEvent.Believed;
import io.holdfast.tck.history.HistoryEvent.Granted;
import io.holdfast.tck.history.HistoryEvent.OfRequest;
import io.holdfast.tck.history.HistoryEvent.Queued;
import io.holdfast.tck.history.HistoryEvent.Requested;
import io.holdfast.tck.history.HistoryEvent.Written;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Something in a history that no correct lock shows, with the events that show it. */
public sealed interface Violation {

  /** Returns the lock's name. */
  String lock();

  /** Returns the events that show it, in the order in which they are told. */
  List<HistoryEvent> evidence();

  /**
   * Two grants of one lock were held at once.
   *
   * @param lastOfFirst the last time that the first was believed, if it was
   * @param lastOfSecond the same of the second; one of them is there
   */
  record HeldTogether(
      String lock,
      Granted first,
      Optional<Believed> lastOfFirst,
      Granted second,
      Optional<Believed> lastOfSecond)
      implements Violation {
    @Override
    public List<HistoryEvent> evidence() {
      return Stream.<Optional<? extends HistoryEvent>>of(
              Optional.of(first), Optional.of(second), lastOfFirst, lastOfSecond)
          .<HistoryEvent>flatMap(Optional::stream)
          .toList();
    }
  }

  /** A grant held later has a smaller token. */
  record TokenFell(String lock, Granted earlier, Granted later) implements Violation {
    @Override
    public List<HistoryEvent> evidence() {
      return List.of(earlier, later);
    }
  }

  /** Two grants of one lock have the same token. */
  record TokenReused(String lock, Granted first, Granted second) implements Violation {
    @Override
    public List<HistoryEvent> evidence() {
      return List.of(first, second);
    }
  }

  /** The fenced register took a smaller token after a greater one. */
  record StaleWriteAccepted(String lock, Written greater, Written smaller) implements Violation {
    @Override
    public List<HistoryEvent> evidence() {
      return List.of(greater, smaller);
    }
  }

  /** A write to the fenced register replaced one that its writer had not read. */
  record UpdateLost(String lock, Written overwritten, Written by) implements Violation {
    @Override
    public List<HistoryEvent> evidence() {
      return List.of(overwritten, by);
    }
  }

  /**
   * A lock was granted although it was to stay taken.
   *
   * @param first who had it before
   * @param cause why it was to stay taken
   * @param left for how long it was to stay at least, when the other grant returned
   */
  record TakenWhileItStays(
      String lock, Granted first, HistoryEvent cause, Granted other, Duration left)
      implements Violation {
    @Override
    public List<HistoryEvent> evidence() {
      return List.of(first, cause, other);
    }
  }

  /** A grant was believed after its holder had been told that it is over, or its time was over. */
  record BelievedAfterItsEnd(String lock, HistoryEvent end, Believed belief) implements Violation {
    @Override
    public List<HistoryEvent> evidence() {
      return List.of(end, belief);
    }
  }

  /** A request was served before another one that had been in the queue before it was made. */
  record QueueJumped(String lock, Queued passed, Optional<Granted> servedLater, Granted jumper)
      implements Violation {
    @Override
    public List<HistoryEvent> evidence() {
      return Stream.<HistoryEvent>concat(Stream.of(passed, jumper), servedLater.stream()).toList();
    }
  }

  /** A call never returned although its process lived on. */
  record NeverReturned(String lock, Requested requested) implements Violation {
    @Override
    public List<HistoryEvent> evidence() {
      return List.of(requested);
    }
  }

  /** A call returned long after its time to wait was over. */
  record OverranMaxWait(String lock, Requested requested, OfRequest returned) implements Violation {
    @Override
    public List<HistoryEvent> evidence() {
      return List.of(requested, returned);
    }
  }

  /**
   * A request went on waiting although no client held the lock.
   *
   * @param idle for how long none did while it waited
   * @param before the last act of the last holder before that time, if there was one
   */
  record WaitedWhileFree(
      String lock, Requested requested, Duration idle, Optional<HistoryEvent> before)
      implements Violation {
    @Override
    public List<HistoryEvent> evidence() {
      return Stream.concat(Stream.of(requested), before.stream()).toList();
    }
  }

  /** The lock was held in the store after all clients had left. */
  record LeftHeld(String lock) implements Violation {
    @Override
    public List<HistoryEvent> evidence() {
      return List.of();
    }
  }
}
