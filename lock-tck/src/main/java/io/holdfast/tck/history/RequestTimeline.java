package io.holdfast.tck.history;

import io.holdfast.FencingToken;
import io.holdfast.LockMode;
import io.holdfast.tck.history.HistoryEvent.Believed;
import io.holdfast.tck.history.HistoryEvent.ClientClosed;
import io.holdfast.tck.history.HistoryEvent.Downgraded;
import io.holdfast.tck.history.HistoryEvent.Extended;
import io.holdfast.tck.history.HistoryEvent.Failed;
import io.holdfast.tck.history.HistoryEvent.Granted;
import io.holdfast.tck.history.HistoryEvent.Lost;
import io.holdfast.tck.history.HistoryEvent.OfRequest;
import io.holdfast.tck.history.HistoryEvent.ProcessKilled;
import io.holdfast.tck.history.HistoryEvent.Queued;
import io.holdfast.tck.history.HistoryEvent.Released;
import io.holdfast.tck.history.HistoryEvent.Releasing;
import io.holdfast.tck.history.HistoryEvent.Requested;
import io.holdfast.tck.history.HistoryEvent.TimedOut;
import java.util.List;
import java.util.Optional;

/**
 * Everything that a history says of one request.
 *
 * @param requested its beginning
 * @param queued when it was first seen in the queue
 * @param granted its grant
 * @param beliefs when its holder believed, in order
 * @param returnedEmpty how the call returned, if without a grant
 * @param downgraded when its grant was made a shared one
 * @param extensions when the end of its longest time was moved
 * @param losses when its holder was told of a loss
 * @param releasing when its holder was about to give it back
 * @param releases when its holder gave it back
 * @param closed when its client was closed
 * @param killed when its process was killed
 */
public record RequestTimeline(
    Requested requested,
    Optional<Queued> queued,
    Optional<Granted> granted,
    List<Believed> beliefs,
    Optional<OfRequest> returnedEmpty,
    Optional<Downgraded> downgraded,
    List<Extended> extensions,
    List<Lost> losses,
    Optional<Releasing> releasing,
    List<Released> releases,
    Optional<ClientClosed> closed,
    Optional<ProcessKilled> killed) {

  static RequestTimeline of(
      Requested requested,
      List<OfRequest> events,
      Optional<ClientClosed> closed,
      Optional<ProcessKilled> killed) {
    return new RequestTimeline(
        requested,
        all(events, Queued.class).stream().findFirst(),
        all(events, Granted.class).stream().findFirst(),
        all(events, Believed.class),
        events.stream().filter(e -> e instanceof TimedOut || e instanceof Failed).findFirst(),
        all(events, Downgraded.class).stream().findFirst(),
        all(events, Extended.class),
        all(events, Lost.class),
        all(events, Releasing.class).stream().findFirst(),
        all(events, Released.class),
        closed,
        killed);
  }

  public RequestTag tag() {
    return requested.request();
  }

  public ClientTag client() {
    return tag().client();
  }

  public String lock() {
    return requested.lock();
  }

  /** Returns whether it asked for shared mode. */
  public boolean isShared() {
    return requested.wanted().mode() == LockMode.SHARED;
  }

  /** Returns the token with which a request was granted. */
  public FencingToken token() {
    return granted.orElseThrow().token();
  }

  public Optional<Believed> lastBelief() {
    return beliefs.isEmpty() ? Optional.empty() : Optional.of(beliefs.get(beliefs.size() - 1));
  }

  /** Returns how the call of acquire returned, if it did. */
  public Optional<OfRequest> returned() {
    return granted.<OfRequest>map(event -> event).or(() -> returnedEmpty);
  }

  private static <E extends OfRequest> List<E> all(List<OfRequest> events, Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }
}
