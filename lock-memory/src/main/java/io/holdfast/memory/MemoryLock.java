package io.holdfast.memory;

import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Request;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A lock's record and the places of its waiters. Guarded by the store's monitor. */
final class MemoryLock {

  final LockName name;

  /** The number of the current or last grant; 0 before the first. */
  long number;

  /** When the head changed last, that is, the lock was granted or became free. */
  Stamp since;

  /** When the head was revoked. */
  @Nullable Stamp revoked;

  /** Changes with every change that a hand-over in steps must not overlook. */
  long version;

  private @Nullable Request head;
  private final List<Request> places = new ArrayList<>();

  MemoryLock(LockName name, Stamp since) {
    this.name = name;
    this.since = since;
  }

  Optional<Request> head() {
    return Optional.ofNullable(head);
  }

  /** Whether no request holds the lock or waits for it. */
  boolean isFree() {
    return head == null && places.isEmpty();
  }

  boolean isHeldBy(RequestId request) {
    return head != null && head.id().equals(request);
  }

  Optional<Observed> observed() {
    return head().map(holder -> new Observed(name, number, holder.id()));
  }

  /** Makes a request the head, or none. A revocation was about the head before. */
  void setHead(@Nullable Request next, long number, Stamp now) {
    this.head = next;
    this.number = number;
    this.since = now;
    this.revoked = null;
    this.version++;
  }

  /**
   * Returns those who wait, in order. The head is none of them, also where its place is still there
   * because whoever handed the lock to it has died before taking the place away.
   */
  List<Request> waiting() {
    return places.stream().filter(place -> !isHeldBy(place.id())).toList();
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
    copy.revoked = revoked;
    copy.version = version;
    copy.head = head;
    copy.places.addAll(places);
    return copy;
  }
}
