package io.holdfast.tck.history;

import static java.util.Comparator.comparingLong;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;
import static java.util.stream.Collectors.toMap;

import io.holdfast.tck.history.HistoryEvent.ClientClosed;
import io.holdfast.tck.history.HistoryEvent.OfRequest;
import io.holdfast.tck.history.HistoryEvent.ProcessKilled;
import io.holdfast.tck.history.HistoryEvent.Requested;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The events that all processes of one run saw, in the order in which they saw them. Immutable. */
public final class History {

  private final List<HistoryEvent> events;
  private final Map<String, List<RequestTimeline>> storiesByLock;

  private History(List<HistoryEvent> events) {
    this.events = events;
    this.storiesByLock = timelines();
  }

  /**
   * Makes a history of events in any order.
   *
   * @throws IllegalArgumentException if something happened to a request that no client made
   */
  public static History of(Collection<? extends HistoryEvent> events) {
    List<HistoryEvent> sorted = new ArrayList<>(events);
    sorted.sort(comparingLong(HistoryEvent::at));
    return new History(List.copyOf(sorted));
  }

  /**
   * Reads what the processes of one run wrote into a directory.
   *
   * @throws IllegalArgumentException if a line cannot be read, other than a torn last one
   */
  public static History read(Path directory) {
    return of(HistoryReader.readDirectory(directory));
  }

  /** Returns all events, by instant. */
  public List<HistoryEvent> events() {
    return events;
  }

  /** Returns the events of one kind, by instant. */
  public <E extends HistoryEvent> Stream<E> events(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast);
  }

  public Collection<List<RequestTimeline>> storiesOfEachLock() {
    return storiesByLock.values();
  }

  public Stream<RequestTimeline> storiesWithGrant() {
    return storiesByLock.values().stream()
        .flatMap(List::stream)
        .filter(timeline -> timeline.granted().isPresent());
  }

  private Map<String, List<RequestTimeline>> timelines() {
    Map<RequestTag, List<OfRequest>> eventsOf =
        events(OfRequest.class)
            .collect(groupingBy(OfRequest::request, LinkedHashMap::new, toList()));
    Map<ClientTag, ClientClosed> closed =
        events(ClientClosed.class).collect(toMap(ClientClosed::client, e -> e, (a, b) -> a));
    Map<String, ProcessKilled> killed =
        events(ProcessKilled.class).collect(toMap(ProcessKilled::process, e -> e, (a, b) -> a));
    Map<String, List<RequestTimeline>> byLock = new TreeMap<>();
    eventsOf.forEach(
        (tag, ofRequest) -> {
          RequestTimeline timeline =
              RequestTimeline.of(
                  beginning(tag, ofRequest),
                  ofRequest,
                  Optional.ofNullable(closed.get(tag.client())),
                  Optional.ofNullable(killed.get(tag.client().process())));
          byLock.computeIfAbsent(timeline.lock(), lock -> new ArrayList<>()).add(timeline);
        });
    return byLock;
  }

  private static Requested beginning(RequestTag tag, List<OfRequest> events) {
    List<Requested> beginnings =
        events.stream().filter(Requested.class::isInstance).map(Requested.class::cast).toList();
    if (beginnings.size() != 1) {
      throw new IllegalArgumentException(
          "Request %s was made %s times: %s".formatted(tag, beginnings.size(), events));
    }
    return beginnings.get(0);
  }
}
