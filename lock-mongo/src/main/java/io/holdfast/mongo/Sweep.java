package io.holdfast.mongo;

import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.mongo.clock.StoreClock;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.connection.Update;
import io.holdfast.mongo.namespace.Namespace;
import io.holdfast.mongo.queue.LockDocument;
import io.holdfast.mongo.queue.Removals;
import io.holdfast.mongo.queue.SweepCommands;
import io.holdfast.mongo.session.SessionCommands;
import io.holdfast.mongo.session.SessionDocument;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import org.bson.BsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes records that no client needs any more, a bounded number of documents at a time. Each
 * deletion is conditional on the document being unchanged. A TTL index would not do: its only
 * condition is a time.
 */
final class Sweep {

  private static final Logger LOG = LoggerFactory.getLogger(Sweep.class);

  private static final int LIMIT = 500;

  /** Larger, because the locks of live sessions are read too, each time, and remain. */
  private static final int HELD_LIMIT = 5_000;

  /**
   * Later than this is the future. Others write while a sweep reads: times that are only later than
   * its beginning are theirs, and new each time.
   */
  private static final Duration AHEAD = Duration.ofMinutes(1);

  private final Namespace namespace;
  private final Removals removals;
  private final Duration idle;

  /** Whether a document that cannot be read was told of: each sweep finds it again. */
  private final AtomicBoolean told = new AtomicBoolean();

  Sweep(Namespace namespace, Removals removals, Duration idle) {
    this.namespace = namespace;
    this.removals = removals;
    this.idle = idle;
  }

  int run(CommandSender sender) {
    Optional<Instant> now = namespace.beginSweep(sender);
    return now.isEmpty()
        ? 0
        : restampAhead(sender, now.get().plus(AHEAD))
            + sweepSessions(sender, now.get().minus(idle))
            + sweepLocks(sender, now.get().minus(idle));
  }

  /**
   * Gives the present time to documents with a time in the future, written by a clock that was
   * ahead. They are deleted when they are as old as others by that time.
   */
  private int restampAhead(CommandSender sender, Instant after) {
    List<WriteModel<BsonDocument>> ofSessions = new ArrayList<>();
    sessions(sender, SessionCommands.touchedAfter(after.toEpochMilli()))
        .forEach(
            document ->
                ofSessions.add(
                    new UpdateOneModel<>(
                        SessionCommands.unchanged(document),
                        SessionCommands.restamp(SessionDocument.isOver(document)).operators())));
    List<WriteModel<BsonDocument>> ofLocks = new ArrayList<>();
    BsonDocument restamp = SweepCommands.restamp().operators();
    find(sender, SweepCommands.freeAfter(after), LIMIT)
        .forEach(lock -> ofLocks.add(new UpdateOneModel<>(SweepCommands.deletable(lock), restamp)));
    removals
        .withoutSession(sender, find(sender, SweepCommands.heldAfter(after), HELD_LIMIT))
        .forEach(lock -> ofLocks.add(new UpdateOneModel<>(SweepCommands.held(lock), restamp)));
    return sender.bulk(CollectionRole.SESSIONS, ofSessions)
        + sender.bulk(CollectionRole.LOCKS, ofLocks);
  }

  private static List<BsonDocument> sessions(CommandSender sender, BsonDocument filter) {
    return sender.find(CollectionRole.SESSIONS, filter, SessionCommands.FIELDS, "_id", LIMIT);
  }

  /**
   * Ends sessions that have lapsed, and deletes those that have been over for as long again. One
   * that was renewed by the clock of another incarnation has the present time from now on.
   */
  private int sweepSessions(CommandSender sender, Instant before) {
    // No lease is longer than maxTtl, so a session last renewed before this has lapsed.
    Instant renewedBefore = before.minus(namespace.settings(sender).maxTtl());
    String present = sender.incarnationToWrite();
    List<WriteModel<BsonDocument>> writes = new ArrayList<>();
    sessions(sender, SessionCommands.untouchedSince(renewedBefore.toEpochMilli()))
        .forEach(
            document ->
                writes.add(
                    SessionDocument.isOver(document)
                        ? new DeleteOneModel<>(SessionCommands.unchanged(document))
                        : new UpdateOneModel<>(
                            SessionCommands.unchanged(document),
                            sweep(document, present).operators())));
    return sender.bulk(CollectionRole.SESSIONS, writes);
  }

  private static Update sweep(BsonDocument session, String present) {
    return SessionDocument.isOf(session, present)
        ? SessionCommands.expire()
        : SessionCommands.renew(present);
  }

  private int sweepLocks(CommandSender sender, Instant before) {
    List<WriteModel<BsonDocument>> writes = new ArrayList<>();
    removals
        .due(sender, find(sender, SweepCommands.heldSince(before), HELD_LIMIT))
        .forEach(
            removal ->
                writes.add(new UpdateOneModel<>(removal.filter(), removal.update().operators())));
    // A new record begins with its creator's estimate of the time, or with the floor if that is
    // higher. Only a number that the clock has passed by a day is certain to be below both.
    List<LockDocument> free =
        find(sender, SweepCommands.freeSince(before), LIMIT).stream()
            .filter(lock -> lock.number() < StoreClock.micros(before))
            .toList();
    OptionalLong highest = free.stream().mapToLong(LockDocument::number).max();
    if (highest.isPresent()) {
      namespace.raiseFloor(sender, highest.getAsLong());
    }
    free.forEach(lock -> writes.add(new DeleteOneModel<>(SweepCommands.deletable(lock))));
    return sender.bulk(CollectionRole.LOCKS, writes);
  }

  private List<LockDocument> find(CommandSender sender, BsonDocument filter, int limit) {
    return sender
        .find(CollectionRole.LOCKS, filter, SweepCommands.HEAD_AND_NEXT, "since", limit)
        .stream()
        .flatMap(document -> read(document, sender.describe()).stream())
        .toList();
  }

  /** One that cannot be read stays where it is, and does not keep the others from being swept. */
  private Optional<LockDocument> read(BsonDocument document, String where) {
    try {
      return Optional.of(LockDocument.read(document, where));
    } catch (BackendUnusableException damaged) {
      if (!told.getAndSet(true)) {
        LOG.warn("A sweep leaves out what it cannot read. {}", damaged.getMessage());
      }
      return Optional.empty();
    }
  }
}
