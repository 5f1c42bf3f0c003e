package io.holdfast.tck.history.check;

import static java.util.Comparator.comparingLong;
import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;

import io.holdfast.SessionId;
import io.holdfast.spi.Capabilities;
import io.holdfast.tck.history.ClientTag;
import io.holdfast.tck.history.History;
import io.holdfast.tck.history.HistoryEvent;
import io.holdfast.tck.history.HistoryEvent.Granted;
import io.holdfast.tck.history.HistoryEvent.ProcessPaused;
import io.holdfast.tck.history.HistoryEvent.Queued;
import io.holdfast.tck.history.HistoryEvent.SessionExpired;
import io.holdfast.tck.history.HistoryEvent.SessionOpened;
import io.holdfast.tck.history.HistoryEvent.TimedOut;
import io.holdfast.tck.history.RequestTag;
import io.holdfast.tck.history.RequestTimeline;
import io.holdfast.tck.history.check.Violation.QueueJumped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * Where the store serves waiters in order: a request that was seen in the queue before one of
 * another client was made is served before it.
 *
 * <p>Excused is a request that passes a waiter which had left by itself or died, or whose session
 * was replaced, since its place went with the session; of a process that was paused that is not
 * known, so its waiters may always be passed. Excused is also a request that took over a place
 * which its client already had: threads of one client follow each other in one place of the queue,
 * so a request counts from when its client began to want the lock, and from when the first of those
 * asked that were granted the same number.
 */
final class QueueOrderRule implements Rule {

  @Override
  public List<Violation> violations(History history, Expectations expectations) {
    List<Violation> violations = new ArrayList<>();
    if (expectations.order() == Capabilities.Order.FIFO) {
      Predicate<Queued> isPlaceKept = isPlaceKept(history);
      Set<String> paused =
          history.events(ProcessPaused.class).map(ProcessPaused::process).collect(toSet());
      for (List<RequestTimeline> timelines : history.storiesOfEachLock()) {
        List<RequestTimeline> waiters =
            timelines.stream()
                .filter(timeline -> !paused.contains(timeline.client().process()))
                .filter(timeline -> timeline.queued().filter(isPlaceKept).isPresent())
                .filter(QueueOrderRule::waits)
                .toList();
        collect(timelines, waiters, violations);
      }
    }
    return violations;
  }

  private static void collect(
      List<RequestTimeline> timelines, List<RequestTimeline> waiters, List<Violation> violations) {
    GreatestBefore<RequestTimeline> servedLast =
        byTimeInQueue(
            waiters.stream().filter(waiter -> waiter.granted().isPresent()),
            waiter -> waiter.token().value());
    GreatestBefore<RequestTimeline> waitedLongest =
        byTimeInQueue(
            waiters.stream().filter(QueueOrderRule::timedOut), QueueOrderRule::endOfMaxWait);
    // A shared request may have been let in, and its time was up before it was told.
    GreatestBefore<RequestTimeline> waitedLongestAlone =
        byTimeInQueue(
            waiters.stream().filter(QueueOrderRule::timedOut).filter(waiter -> !waiter.isShared()),
            QueueOrderRule::endOfMaxWait);
    Map<RequestTag, Long> wantedSince = wantedSince(timelines);
    Map<Place, Long> numbersSince = numbersSince(timelines);
    for (RequestTimeline timeline : timelines) {
      if (timeline.granted().isPresent()) {
        Granted granted = timeline.granted().get();
        long since =
            Math.min(
                wantedSince.getOrDefault(timeline.tag(), timeline.requested().at()),
                numbersSince.getOrDefault(Place.of(timeline), Long.MAX_VALUE));
        servedLast
            .above(granted.token().value(), since, timeline.client())
            .or(
                () ->
                    (timeline.isShared() ? waitedLongestAlone : waitedLongest)
                        .above(granted.at(), since, timeline.client()))
            .ifPresent(passed -> violations.add(jumped(passed, granted)));
      }
    }
  }

  /**
   * A place goes with its session. When a place was seen says nothing of that: a call that was sent
   * late can take one for a session which its client has replaced already.
   */
  private static Predicate<Queued> isPlaceKept(History history) {
    Set<SessionId> expired =
        history.events(SessionExpired.class).map(SessionExpired::session).collect(toSet());
    Map<ClientTag, SessionOpened> last =
        history
            .events(SessionOpened.class)
            .collect(
                toMap(
                    SessionOpened::client,
                    Function.identity(),
                    BinaryOperator.maxBy(comparingLong(SessionOpened::at))));
    return place -> {
      SessionOpened inUse = last.get(place.request().client());
      return !expired.contains(place.session())
          && (inUse == null || inUse.session().equals(place.session()));
    };
  }

  private static GreatestBefore<RequestTimeline> byTimeInQueue(
      Stream<RequestTimeline> waiters, ToLongFunction<RequestTimeline> value) {
    return new GreatestBefore<>(
        waiters.map(
            waiter ->
                new GreatestBefore.Entry<>(
                    waiter.queued().orElseThrow().at(),
                    value.applyAsLong(waiter),
                    waiter.client(),
                    waiter)));
  }

  /**
   * One that is made once has no place. Where to ask is to stand in the queue it is seen there for
   * a moment; and if that answer is lost, it asks again.
   */
  private static boolean waits(RequestTimeline timeline) {
    return timeline.requested().maxWait().filter(Duration::isZero).isEmpty();
  }

  private static boolean timedOut(RequestTimeline timeline) {
    return timeline.returnedEmpty().filter(TimedOut.class::isInstance).isPresent();
  }

  /** Returns until when a waiter whose time ran out surely had not left the queue. */
  private static long endOfMaxWait(RequestTimeline timeline) {
    return timeline.requested().at() + timeline.requested().maxWait().orElseThrow().toNanos();
  }

  private static Map<RequestTag, Long> wantedSince(List<RequestTimeline> timelines) {
    return timelines.stream().collect(groupingBy(RequestTimeline::client)).values().stream()
        .flatMap(ofClient -> Wish.of(ofClient).stream())
        .collect(toMap(wish -> wish.timeline().tag(), Wish::since));
  }

  /** A place in the queue that was granted, which threads of one client use after each other. */
  private record Place(ClientTag client, long number) {
    static Place of(RequestTimeline granted) {
      return new Place(granted.client(), granted.token().number());
    }

    static Place of(Held held) {
      return new Place(held.timeline().client(), held.token().number());
    }
  }

  /** When the first of those asked who had one number. */
  private static Map<Place, Long> numbersSince(List<RequestTimeline> timelines) {
    return Held.all(timelines).stream()
        .collect(toMap(Place::of, held -> held.timeline().requested().at(), Math::min));
  }

  private static Violation jumped(RequestTimeline passed, Granted jumper) {
    return new QueueJumped(passed.lock(), passed.queued().orElseThrow(), passed.granted(), jumper);
  }

  /**
   * A request and the instant from which its client has wanted the lock without a break, from one
   * call of acquire to the next.
   */
  private record Wish(RequestTimeline timeline, long since) {

    static List<Wish> of(List<RequestTimeline> ofOneClient) {
      List<Wish> wishes = new ArrayList<>();
      long since = Long.MIN_VALUE;
      long until = Long.MIN_VALUE;
      // In the order of their calls, which is the order of the history.
      for (RequestTimeline timeline : ofOneClient) {
        long requested = timeline.requested().at();
        if (requested > until) {
          since = requested;
        }
        until = Math.max(until, timeline.returned().map(HistoryEvent::at).orElse(Long.MAX_VALUE));
        wishes.add(new Wish(timeline, since));
      }
      return wishes;
    }
  }
}
