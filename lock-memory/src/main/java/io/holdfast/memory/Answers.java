package io.holdfast.memory;

import io.holdfast.LockMode;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Stay;
import io.holdfast.record.Waiter;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Observed;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** The answers of the verbs, read from the state as it is. */
final class Answers {

  /**
   * An answer names so many at most; a client that removes them and looks again sees the others.
   */
  private static final int OBSTACLES_MAX = 100;

  private Answers() {}

  /** How a request stands after an attempt. */
  static Attempt attempt(MemoryState state, Request request) {
    MemoryLock lock = state.locks.get(request.name());
    if (lock == null) {
      return new Attempt.Refused(LockRecord.unknown(request.name()), Optional.empty());
    }
    if (lock.isHeldBy(request.id()) && !lock.hasTombstoneOf(request.id())) {
      return new Attempt.Granted(lock.number, since(lock, request.id()), contention(lock));
    }
    return lock.hasPlace(request.id())
        ? new Attempt.Queued()
        : new Attempt.Refused(record(state, lock), state.firstDueIn(lock));
  }

  /** How a request stands at the moment of a look. */
  static Standing standing(MemoryState state, RequestKey key) {
    MemoryLock lock = state.locks.get(key.name());
    boolean isOver =
        state.isOver(key.request().session()) && state.rules.requestsOfTheDeadAreAbsent();
    if (lock == null || isOver) {
      return new Standing.Absent();
    }
    if (lock.hasTombstoneOf(key.request()) && state.rules.whatStaysIsAbsent()) {
      return new Standing.Absent();
    }
    if (lock.isHeldBy(key.request())) {
      LockMode mode = lock.isShared() ? LockMode.SHARED : LockMode.EXCLUSIVE;
      return new Standing.Holding(lock.number, since(lock, key.request()), contention(lock), mode);
    }
    if (!lock.hasPlace(key.request())) {
      return new Standing.Absent();
    }
    List<Request> before =
        lock.waiting().stream().takeWhile(place -> !place.id().equals(key.request())).toList();
    Optional<Duration> nextDue =
        before.isEmpty() ? state.firstDueIn(lock) : state.dueIn(before.get(before.size() - 1));
    return new Standing.Waiting(1 + before.size(), obstacles(state, lock, before), nextDue);
  }

  private static Instant since(MemoryLock lock, RequestId request) {
    return lock.holdOf(request).orElseThrow().since.instant();
  }

  private static Contention contention(MemoryLock lock) {
    return Contention.of(lock.waiting().size());
  }

  private static List<Obstacle> obstacles(
      MemoryState state, MemoryLock lock, List<Request> before) {
    List<Obstacle> obstacles = new ArrayList<>();
    if (!lock.isHeld()) {
      return obstacles;
    }
    int named = state.rules.holdersNamed(lock.holders().size());
    for (MemoryLock.Hold hold : lock.holders().subList(0, named)) {
      Liveness liveness = state.liveness(hold);
      if (!liveness.counts() && obstacles.size() < OBSTACLES_MAX) {
        obstacles.add(new Obstacle(lock.observed(hold), hold.request.id(), liveness));
      }
    }
    Observed head = lock.observed(lock.holders().get(0));
    for (Request waiter : before) {
      Liveness liveness = state.liveness(waiter.id().session());
      if (liveness != Liveness.LIVE && obstacles.size() < OBSTACLES_MAX) {
        obstacles.add(new Obstacle(head, waiter.id(), liveness));
      }
    }
    return obstacles;
  }

  /** The record of a lock, for people. */
  static LockRecord record(MemoryState state, MemoryLock lock) {
    return new LockRecord(
        lock.name,
        lock.number,
        lock.holders().stream().map(hold -> holder(state, hold)).toList(),
        lock.waiting().stream()
            .map(place -> new Waiter(place.id(), place.mode(), place.process(), place.why()))
            .toList());
  }

  private static Holder holder(MemoryState state, MemoryLock.Hold hold) {
    Request request = hold.request;
    Optional<Duration> left = state.stayLeft(hold);
    Optional<MemoryStay> stay = Optional.ofNullable(hold.stay);
    return new Holder(
        request.id(),
        request.mode(),
        request.process(),
        request.why(),
        request.payload(),
        hold.since.instant(),
        state.liveness(hold),
        stay.filter(present -> present.reason() == Stay.Reason.REVOKED)
            .map(present -> present.began().instant()),
        stay.map(present -> new Stay(present.reason(), left.orElse(Duration.ZERO))),
        state.dueIn(hold),
        OptionalLong.empty());
  }
}
