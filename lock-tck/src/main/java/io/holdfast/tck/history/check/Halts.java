package io.holdfast.tck.history.check;

import static java.util.stream.Collectors.toMap;

import io.holdfast.tck.history.ClientTag;
import io.holdfast.tck.history.History;
import io.holdfast.tck.history.HistoryEvent;
import io.holdfast.tck.history.HistoryEvent.Believed;
import io.holdfast.tck.history.HistoryEvent.ClientClosing;
import io.holdfast.tck.history.HistoryEvent.ProcessContinued;
import io.holdfast.tck.history.HistoryEvent.ProcessKilled;
import io.holdfast.tck.history.HistoryEvent.ProcessPaused;
import io.holdfast.tck.history.RequestTimeline;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Which processes were killed or paused, and which clients were being closed before. */
record Halts(Map<String, Halt> ofProcesses, Map<ClientTag, Long> closing) {

  /**
   * A time in which a process could do nothing.
   *
   * @param event what began it
   * @param at by when it had begun
   * @param until an instant before which it had not ended
   */
  record Halt(HistoryEvent event, long at, long until) {

    /** Returns whether something that its process did came after it, if it did. */
    boolean isBefore(Optional<Long> instant) {
      return instant.isEmpty() || instant.get() > at;
    }

    /** Returns the last belief before it. */
    Optional<Believed> lastBelief(RequestTimeline timeline) {
      return timeline.beliefs().stream()
          .filter(belief -> belief.call().after() <= at)
          .reduce((earlier, later) -> later);
    }
  }

  static Halts of(History history) {
    Map<String, Long> continued =
        history
            .events(ProcessContinued.class)
            .collect(toMap(ProcessContinued::process, event -> event.call().before(), Math::min));
    Map<String, Halt> halts = new HashMap<>();
    history
        .events(ProcessKilled.class)
        .forEach(
            killed ->
                halts.put(
                    killed.process(), new Halt(killed, killed.call().after(), Long.MAX_VALUE)));
    // Of one that was paused and killed the pause counts, which came first.
    history
        .events(ProcessPaused.class)
        .forEach(
            paused ->
                halts.put(
                    paused.process(),
                    new Halt(
                        paused,
                        paused.call().after(),
                        continued.getOrDefault(paused.process(), Long.MAX_VALUE))));
    return new Halts(
        halts,
        history
            .events(ClientClosing.class)
            .collect(toMap(ClientClosing::client, ClientClosing::at, Math::min)));
  }

  /** Returns the halt of a request's process, unless its client was being closed before. */
  Optional<Halt> of(RequestTimeline timeline) {
    return Optional.ofNullable(ofProcesses.get(timeline.client().process()))
        .filter(halt -> halt.isBefore(Optional.ofNullable(closing.get(timeline.client()))));
  }
}
