package io.holdfast.memory;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.record.Stay;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Observed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A lock's record and the places of its waiters. Guarded by the store's monitor. */
final class MemoryLock {

  final LockName name;

  /** The number of the current or last grant; 0 before the first. */
  long number;

  /** When the number was given, or the lock became free. */
  Stamp since;

  /** Changes with every change that a hand-over in steps must not overlook. */
  long version;

  /** The exclusive holder, or a run of shared ones. */
  private final List<Hold> holders = new ArrayList<>();

  private final List<Request> places = new ArrayList<>();

  /** A request that holds the lock. Guarded by the store's monitor. */
  static final class Hold {
    Request request;

    /** When it began to hold. */
    final Stamp since;

    /** A time after which it may be removed, or until which it stays without a session. */
    @Nullable MemoryStay stay;

    /** Its lock-delay has begun, or a revocation has taken its place. */
    boolean isDelayUsedUp;

    /** It was given back and stays: it belongs to no session any more. */
    boolean isTombstone;

    Hold(Request request, Stamp since) {
      this.request = request;
      this.since = since;
    }

    boolean isShared() {
      return request.mode() == LockMode.SHARED;
    }

    boolean isRevoked() {
      return stay != null && stay.reason() == Stay.Reason.REVOKED;
    }

    boolean isInDelay() {
      return stay != null && stay.reason() == Stay.Reason.LOCK_DELAY;
    }

    Hold copy() {
      Hold copy = new Hold(request, since);
      copy.stay = stay;
      copy.isDelayUsedUp = isDelayUsedUp;
      copy.isTombstone = isTombstone;
      return copy;
    }
  }

  MemoryLock(LockName name, Stamp since) {
    this.name = name;
    this.since = since;
  }

  List<Hold> holders() {
    return List.copyOf(holders);
  }

  boolean isHeld() {
    return !holders.isEmpty();
  }

  /** The first holder. */
  Optional<Request> head() {
    return holders.stream().map(hold -> hold.request).findFirst();
  }

  Optional<Hold> holdOf(RequestId request) {
    return Optional.ofNullable(find(request));
  }

  /** In a loop, as {@link #waiting()}: each verb asks this about each request of a lock. */
  private @Nullable Hold find(RequestId request) {
    for (Hold hold : holders) {
      if (hold.request.id().equals(request)) {
        return hold;
      }
    }
    return null;
  }

  /** Whether the request was given back and stays. */
  boolean hasTombstoneOf(RequestId request) {
    Hold hold = find(request);
    return hold != null && hold.isTombstone;
  }

  /** Whether shared requests hold the lock. */
  boolean isShared() {
    return isHeld() && holders.get(0).isShared();
  }

  /** Whether no request holds the lock or waits for it. */
  boolean isFree() {
    return holders.isEmpty() && places.isEmpty();
  }

  boolean isHeldBy(RequestId request) {
    return find(request) != null;
  }

  Observed observed(Hold hold) {
    return new Observed(name, number, hold.request.id());
  }

  /** Gives the lock a new number, which its first holder gets, or makes it free. */
  void begin(@Nullable Request holder, long number, Stamp now) {
    this.holders.clear();
    this.number = number;
    this.since = now;
    if (holder != null) {
      join(holder, now);
    }
    this.version++;
  }

  /** One more holder of the present number. */
  void join(Request holder, Stamp now) {
    holders.add(new Hold(holder, now));
    version++;
  }

  void removeHold(RequestId request) {
    holders.removeIf(hold -> hold.request.id().equals(request));
    version++;
  }

  /**
   * Returns those who wait, in order. A holder is none of them, also where its place is still there
   * because the client that handed the lock to it has died before taking the place away.
   */
  List<Request> waiting() {
    List<Request> waiting = new ArrayList<>(places.size());
    for (Request place : places) {
      if (!isHeldBy(place.id())) {
        waiting.add(place);
      }
    }
    return Collections.unmodifiableList(waiting);
  }

  boolean hasPlace(RequestId request) {
    return places.stream().anyMatch(place -> place.id().equals(request));
  }

  void addPlace(int index, Request request) {
    places.add(index, request);
  }

  boolean removePlace(RequestId request) {
    return places.removeIf(place -> place.id().equals(request));
  }

  boolean removePlacesOf(SessionId session) {
    return places.removeIf(place -> place.id().session().equals(session));
  }

  int placeCount() {
    return places.size();
  }

  MemoryLock copy() {
    MemoryLock copy = new MemoryLock(name, since);
    copy.number = number;
    copy.version = version;
    holders.forEach(hold -> copy.holders.add(hold.copy()));
    copy.places.addAll(places);
    return copy;
  }
}
