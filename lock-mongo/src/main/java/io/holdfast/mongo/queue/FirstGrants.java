package io.holdfast.mongo.queue;

import io.holdfast.LockName;
import io.holdfast.mongo.clock.StoreClock;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.connection.Update;
import io.holdfast.mongo.namespace.Namespace;
import io.holdfast.mongo.session.OwnSessions;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Makes numbers rise over the deletion of a record and the loss of all data: a new record begins at
 * the server's time. A command cannot put the server's time into a record that it creates, so the
 * record begins at our estimate. The estimate is too small if the command was delayed on its way.
 * The first grant of a record is therefore compared with the time at which the server created the
 * record, and raised before any client has used its number.
 */
public final class FirstGrants {

  /** How much a record may begin before the server's time. */
  private static final long BEHIND_MAX_MICROS = StoreClock.micros(Duration.ofSeconds(2));

  private final Namespace namespace;
  private final OwnSessions own;
  private final StoreClock clock;

  public FirstGrants(Namespace namespace, OwnSessions own, StoreClock clock) {
    this.namespace = namespace;
    this.own = own;
    this.clock = clock;
  }

  /** Returns the base for a record that is created now. */
  long base() {
    return Math.max(clock.micros(), namespace.floor());
  }

  /** Returns the base that a record must have at least; empty unless it began too low. */
  public Optional<Long> leastBase(CommandSender sender, LockDocument lock) {
    return leastBase(lock, () -> namespace.readFloor(sender));
  }

  static Optional<Long> leastBase(LockDocument lock, LongSupplier floor) {
    long made = StoreClock.micros(lock.since());
    return lock.n() != 1 || made - lock.base() <= BEHIND_MAX_MICROS
        ? Optional.empty()
        : Optional.of(Math.max(made, floor.getAsLong()));
  }

  /**
   * Returns the present state of a lock. It is read by a write, because any other answer may be an
   * old state. Later reads are not older than this.
   */
  LockDocument confirmed(CommandSender sender, LockName name) {
    Update look = LockCommands.look(base());
    return LockDocument.read(
        sender.write(CollectionRole.LOCKS, LockCommands.byName(name), look), sender.describe());
  }

  /**
   * Returns the lock, which a request of this client holds, with a number that may be used. Others
   * that share the lock have the same number, and raise it too if they find it too low.
   */
  LockDocument usable(CommandSender sender, LockDocument lock, RequestId holder) {
    clock.observe(lock.since());
    LockDocument usable = lock;
    Optional<Long> least = leastBase(sender, lock);
    if (least.isPresent()) {
      usable =
          sender
              .change(
                  CollectionRole.LOCKS,
                  LockCommands.holding(lock, holder),
                  LockCommands.raiseBase(least.get()))
              .map(document -> LockDocument.read(document, sender.describe()))
              .orElseGet(() -> raisedByAnother(sender, lock, holder));
    }
    own.markHolding(holder);
    return usable;
  }

  private LockDocument raisedByAnother(CommandSender sender, LockDocument lock, RequestId holder) {
    LockDocument now = confirmed(sender, lock.name());
    if (now.n() != lock.n() || !now.isHeldBy(holder) || leastBase(sender, now).isPresent()) {
      throw new BackendFailure(
          sender.effect(),
          "Lock %s at %s was taken from %s before its number could be used."
              .formatted(lock.name(), sender.describe(), holder),
          null);
    }
    return now;
  }
}
