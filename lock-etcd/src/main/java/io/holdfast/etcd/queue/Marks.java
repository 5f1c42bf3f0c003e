package io.holdfast.etcd.queue;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.LeaseTimes;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Mark;
import io.holdfast.etcd.format.Seat;
import io.holdfast.record.Liveness;
import io.holdfast.record.RequestId;
import io.holdfast.record.Stay;
import io.holdfast.record.Stay.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The marks of a lock's requests, by key, at one moment. */
record Marks(Keys keys, Map<ByteSequence, KeyValue> byKey) {

  static Marks of(Keys keys, List<KeyValue> found) {
    Map<ByteSequence, KeyValue> byKey = new HashMap<>();
    found.forEach(mark -> byKey.put(mark.getKey(), mark));
    return new Marks(keys, byKey);
  }

  Optional<KeyValue> find(Seat seat, Mark mark) {
    return Optional.ofNullable(byKey.get(keys.mark(seat, mark)));
  }

  private boolean has(Seat seat, Mark mark) {
    return find(seat, mark).isPresent();
  }

  boolean isGivenBack(Seat seat) {
    return has(seat, Mark.GIVEN_BACK);
  }

  /** Whether it has a lock-delay that has not begun. */
  boolean hasDelayLeft(Seat seat) {
    return find(seat, Mark.DELAY).filter(delay -> delay.getLease() == 0).isPresent();
  }

  /** Whether its lock-delay runs. */
  private boolean isInDelay(Seat seat) {
    return find(seat, Mark.DELAY).filter(delay -> delay.getLease() != 0).isPresent();
  }

  /** A request without a lock-delay leaves its queue together with its session. */
  private boolean isSessionOver(Seat seat) {
    return hasDelayLeft(seat) && !has(seat, Mark.ALIVE);
  }

  /**
   * Whether the request, which is in the queue, is its client's: not if it was given back, and not
   * if its session is over.
   */
  boolean isItsOwners(Seat seat) {
    return !isGivenBack(seat) && !isInDelay(seat) && !isSessionOver(seat);
  }

  /** Returns whether a request, which is in the queue, counts. */
  Liveness liveness(Seat seat) {
    if (isGivenBack(seat) || isInDelay(seat)) {
      return Liveness.STAYING; // Its lease takes it away.
    }
    if (isSessionOver(seat)) {
      return Liveness.ENDED;
    }
    return isRevoked(seat) && !has(seat, Mark.TIMER) ? Liveness.REVOCATION_DUE : Liveness.LIVE;
  }

  boolean isRevoked(Seat seat) {
    return has(seat, Mark.REVOKED);
  }

  Optional<Instant> revokedAt(Seat seat) {
    return find(seat, Mark.REVOKED).map(mark -> Instant.parse(words(mark)[0]));
  }

  /** Returns the mark of a request that is revoked. */
  static ByteSequence revoked(Instant at, RequestId request) {
    return Keys.bytes(at + " " + request.serial());
  }

  /** Returns the mark of a request that is given back. */
  static ByteSequence givenBack(RequestId request) {
    return Keys.bytes(String.valueOf(request.serial()));
  }

  /** Returns the request at a seat, if the seat tells it, or a mark does. */
  Optional<RequestId> request(Seat seat) {
    return seat.request()
        .or(
            () ->
                find(seat, Mark.REVOKED)
                    .or(() -> find(seat, Mark.GIVEN_BACK))
                    .map(mark -> new RequestId(seat.session(), serial(mark))));
  }

  private static long serial(KeyValue mark) {
    String[] words = words(mark);
    return Long.parseLong(words[words.length - 1]);
  }

  private static String[] words(KeyValue mark) {
    return text(mark).split(" ", -1);
  }

  /** Returns the lock-delay of a request that has one. */
  Duration lockDelay(Seat seat) {
    return Duration.ofMillis(Long.parseLong(text(find(seat, Mark.DELAY).orElseThrow())));
  }

  private static String text(KeyValue mark) {
    return mark.getValue().toString(StandardCharsets.UTF_8);
  }

  /** Whether they tell nothing but that sessions live: each of these requests counts. */
  boolean areQuiet() {
    return byKey.keySet().stream().allMatch(this::isQuiet);
  }

  private boolean isQuiet(ByteSequence key) {
    return keys.seatMarked(key, Mark.ALIVE).isPresent()
        || keys.seatMarked(key, Mark.DELAY).filter(this::isItsOwners).isPresent();
  }

  /** Returns the leases with which times of some requests are over. */
  Stream<Long> timedLeases(List<Seat> seats) {
    return seats.stream().flatMap(seat -> timed(seat).stream());
  }

  /** Asks how long the times of some requests last. */
  LeaseTimes times(EtcdCalls calls, List<Seat> seats) {
    return calls.leaseTimes(timedLeases(seats).toList());
  }

  /** Returns the lease with which a time of the request is over. */
  private Optional<Long> timed(Seat seat) {
    return Stream.of(Mark.GIVEN_BACK, Mark.DELAY, Mark.TIMER)
        .filter(mark -> mark != Mark.TIMER || isRevoked(seat))
        .flatMap(mark -> find(seat, mark).stream())
        .map(KeyValue::getLease)
        .filter(lease -> lease != 0)
        .findFirst();
  }

  /** Returns the stay of a request, of which the times tell; empty if it has none. */
  Optional<Stay> stay(Seat seat, LeaseTimes times) {
    Duration left = timed(seat).map(times::atMost).orElse(Duration.ZERO);
    if (isGivenBack(seat)) {
      return Optional.of(new Stay(Reason.AT_LEAST, left));
    }
    if (isInDelay(seat)) {
      return Optional.of(new Stay(Reason.LOCK_DELAY, left));
    }
    return isRevoked(seat) ? Optional.of(new Stay(Reason.REVOKED, left)) : Optional.empty();
  }

  /**
   * Asks how long until the first of some requests may be removed, or leaves by itself; empty if
   * none has a time. etcd itself removes requests that lapse, and the watch of the next request
   * reports that.
   */
  Optional<Duration> firstDue(EtcdCalls calls, List<Seat> seats) {
    return firstDue(seats, times(calls, seats));
  }

  Optional<Duration> firstDue(List<Seat> seats, LeaseTimes times) {
    return timedLeases(seats).map(times::atMost).min(Comparator.naturalOrder());
  }
}
