package io.holdfast.mongo;

import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.mongo.MongoNames.Part;
import io.holdfast.spi.BackendFailure;
import java.time.Duration;
import java.util.Optional;

/**
 * Numbers rise also over the deletion of a record and the loss of all, because a new record begins
 * at the server's time. The server cannot put its time into a record that it makes by such a
 * command, so it is our estimate, which may be too small: when the command was held up on its way.
 * The first grant of a record is therefore compared with the time at which the server has made it,
 * and raised before anybody has used its number.
 */
final class FirstGrants {

  /** By how much a record may begin before the server's time. */
  private static final long BEHIND_MAX_MICROS = StoreClock.micros(Duration.ofSeconds(2));

  private final Namespace namespace;
  private final OwnSessions own;
  private final StoreClock clock;

  FirstGrants(Namespace namespace, OwnSessions own, StoreClock clock) {
    this.namespace = namespace;
    this.own = own;
    this.clock = clock;
  }

  /** Returns what a record begins with that is made now. */
  long base() {
    return Math.max(clock.micros(), namespace.floor());
  }

  /** Returns what a record must go on from; empty unless it began with too little. */
  Optional<Long> leastBase(Call call, LockDocument lock) {
    long made = StoreClock.micros(lock.since());
    return lock.n() != 1 || made - lock.base() <= BEHIND_MAX_MICROS
        ? Optional.empty()
        : Optional.of(Math.max(made, namespace.readFloor(call)));
  }

  /**
   * Returns a lock as it is: what any other answer tells of it may be an old state. Whatever is
   * read after this is not older.
   */
  LockDocument confirmed(Call call, LockName name) {
    Update look = LockCommands.look(base());
    return LockDocument.read(
        call.write(Part.LOCKS, LockCommands.byName(name), look), call.describe());
  }

  /** Returns the lock that a request of ours holds, with a number that may be used. */
  LockDocument usable(Call call, LockDocument lock, RequestId holder) {
    clock.told(lock.since());
    Optional<Long> least = leastBase(call, lock);
    LockDocument usable = least.isEmpty() ? lock : raise(call, lock, holder, least.get());
    own.holds(holder);
    return usable;
  }

  private static LockDocument raise(Call call, LockDocument lock, RequestId holder, long base) {
    return call.change(
            Part.LOCKS, LockCommands.first(lock.name(), holder), LockCommands.raiseBase(base))
        .map(document -> LockDocument.read(document, call.describe()))
        .orElseThrow(
            () ->
                new BackendFailure(
                    call.effect(),
                    "Lock %s at %s passed on from %s before its number could be used."
                        .formatted(lock.name(), call.describe(), holder),
                    null));
  }
}
