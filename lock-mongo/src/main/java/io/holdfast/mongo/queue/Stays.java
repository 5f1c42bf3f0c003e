package io.holdfast.mongo.queue;

import io.holdfast.mongo.clock.ClockReading;
import io.holdfast.mongo.clock.ClockReading.Verdict;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.queue.StoredStay.Kind;
import io.holdfast.mongo.session.Sessions;
import io.holdfast.spi.RequestKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * Begins the stays of holders, and judges them by the server's clock. A stay that began by the
 * clock of another incarnation, or in the future, begins again when it is seen: otherwise, if the
 * clock was set back by an hour, it would be over an hour late.
 */
public final class Stays {

  private final Sessions sessions;

  public Stays(Sessions sessions) {
    this.sessions = sessions;
  }

  /**
   * Begins a stay and returns how much is left of it; empty if the holder has changed since it was
   * read.
   */
  Optional<Duration> begin(
      CommandSender sender, LockDocument lock, Entry holder, Kind kind, Duration lasts) {
    Optional<String> before = sender.incarnation();
    return sender
        .change(
            CollectionRole.LOCKS,
            StayCommands.asRead(lock, holder),
            StayCommands.begin(holder.request(), kind, lasts, sender.incarnationToWrite()))
        .map(document -> LockDocument.read(document, sender.describe()))
        .flatMap(after -> after.stay(holder))
        .map(begun -> begun.left(sessions.reading(sender, begun.from(), before)));
  }

  /** Has a request stay that is the head and has no stay; returns whether it was that. */
  boolean buryHead(CommandSender sender, RequestKey key, Duration lasts) {
    return sender
        .change(
            CollectionRole.LOCKS,
            StayCommands.headWithoutStay(key.name(), key.request()),
            StayCommands.begin(key.request(), Kind.AT_LEAST, lasts, sender.incarnationToWrite()))
        .isPresent();
  }

  /** Gives a stay another kind; not if the holder has changed since it was read. */
  boolean change(CommandSender sender, LockDocument lock, Entry holder, Kind kind) {
    return sender
        .change(
            CollectionRole.LOCKS,
            StayCommands.asRead(lock, holder),
            StayCommands.change(holder.request(), kind))
        .isPresent();
  }

  /**
   * A holder's stay, judged by a write.
   *
   * @param lock as it was at that moment
   * @param clock the server's clock at that moment
   */
  record Judged(LockDocument lock, StoredStay stay, ClockReading clock) {

    Duration left() {
      return stay.left(clock);
    }

    boolean isOver() {
      return left().isZero();
    }

    /** Returns whether it is over later than a time that begins now. */
    boolean endsAfter(Duration other) {
      return left().compareTo(clock.remaining(clock.now(), other)) > 0;
    }
  }

  /**
   * Judges a holder's stay by a write. Empty if the holder has changed since it was read, or if its
   * stay has just begun again.
   */
  Optional<Judged> judge(CommandSender sender, LockDocument lock, Entry holder) {
    Optional<String> before = sender.incarnationLookedFor();
    return sender
        .change(CollectionRole.LOCKS, StayCommands.asRead(lock, holder), StayCommands.judge())
        .map(document -> judged(sender, document, holder, before))
        .filter(judged -> !beginsAnew(sender, judged, holder));
  }

  private Judged judged(
      CommandSender sender, BsonDocument document, Entry holder, Optional<String> before) {
    LockDocument lock = LockDocument.read(document, sender.describe());
    Instant now = Instant.ofEpochMilli(document.getDateTime("judged").getValue());
    return new Judged(lock, lock.stay(holder).orElseThrow(), sessions.reading(sender, now, before));
  }

  private static boolean beginsAnew(CommandSender sender, Judged judged, Entry holder) {
    Optional<String> incarnation = judged.clock().incarnation();
    return judged.stay().judge(judged.clock()) == Verdict.DOUBTFUL
        && incarnation.isPresent()
        && sender
            .change(
                CollectionRole.LOCKS,
                StayCommands.asRead(judged.lock(), holder),
                StayCommands.restamp(holder.request(), incarnation.get()))
            .isPresent();
  }

  /** Begins those stays of some holders again whose beginning seems doubtful. */
  void restampDoubtful(CommandSender sender, LockView view, List<Entry> holders) {
    for (Entry holder : holders) {
      Optional<StoredStay> stay = view.lock().stay(holder);
      if (stay.isPresent() && stay.get().judge(view.live().clock()) == Verdict.DOUBTFUL) {
        judge(sender, view.lock(), holder);
      }
    }
  }
}
