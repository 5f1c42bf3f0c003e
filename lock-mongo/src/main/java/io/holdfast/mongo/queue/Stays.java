package io.holdfast.mongo.queue;

import io.holdfast.Stay.Reason;
import io.holdfast.mongo.clock.ClockReading;
import io.holdfast.mongo.clock.ClockReading.Verdict;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.session.Sessions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * Begins the stays of holders, and judges them by the server's clock. A stay that began by the
 * clock of another incarnation, or in the future, begins anew when it is seen: otherwise, if the
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
      CommandSender sender, LockDocument lock, Entry holder, Reason reason, Duration lasts) {
    Optional<String> before = sender.incarnation();
    return sender
        .change(
            CollectionRole.LOCKS,
            StayCommands.asRead(lock, holder),
            StayCommands.begin(holder.request(), reason, lasts, sender.incarnationToWrite()))
        .map(document -> LockDocument.read(document, sender.describe()))
        .flatMap(after -> after.stay(holder))
        .map(begun -> begun.left(sessions.reading(sender, begun.from(), before)));
  }

  /**
   * Returns how much is left of a holder's stay, judged by a write; zero once it is over. Empty if
   * the holder has changed since it was read, or if its stay has just begun anew.
   */
  Optional<Duration> left(CommandSender sender, LockDocument lock, Entry holder) {
    Optional<String> before = sender.incarnationLookedFor();
    return sender
        .change(CollectionRole.LOCKS, StayCommands.asRead(lock, holder), StayCommands.judge())
        .flatMap(document -> left(sender, document, holder, before));
  }

  private Optional<Duration> left(
      CommandSender sender, BsonDocument document, Entry holder, Optional<String> before) {
    LockDocument lock = LockDocument.read(document, sender.describe());
    Instant judged = Instant.ofEpochMilli(document.getDateTime("judged").getValue());
    ClockReading now = sessions.reading(sender, judged, before);
    StoredStay stay = lock.stay(holder).orElseThrow();
    boolean beginsAnew =
        stay.judge(now) == Verdict.DOUBTFUL
            && now.incarnation().isPresent()
            && sender
                .change(
                    CollectionRole.LOCKS,
                    StayCommands.asRead(lock, holder),
                    StayCommands.restamp(holder.request(), now.incarnation().get()))
                .isPresent();
    return beginsAnew ? Optional.empty() : Optional.of(stay.left(now));
  }

  /** Begins those stays of some holders anew whose beginning seems doubtful. */
  void restampDoubtful(CommandSender sender, LockView view, List<Entry> holders) {
    for (Entry holder : holders) {
      Optional<StoredStay> stay = view.lock().stay(holder);
      if (stay.isPresent() && stay.get().judge(view.live().clock()) == Verdict.DOUBTFUL) {
        left(sender, view.lock(), holder);
      }
    }
  }
}
