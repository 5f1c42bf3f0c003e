package io.holdfast.mongo.session;

import com.mongodb.client.model.UpdateOneModel;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.mongo.clock.ClockReading;
import io.holdfast.mongo.clock.ClockReading.Verdict;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.connection.Connection;
import io.holdfast.mongo.connection.Index;
import io.holdfast.record.Retirement.LiveSession;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * The sessions of version 1, while they are retired.
 *
 * @param maxClockStep of their namespace
 */
public record FormerSessions(CommandSender sender, Duration maxClockStep) {

  /** How many live sessions are told. */
  private static final int TOLD_MAX = 10;

  private static final int PAGE = 500;

  private static final BsonString NOT_TOLD = new BsonString("unknown");

  /**
   * Returns sessions that live. Only if it finds none at a glance, which changes nothing, does it
   * end those that have lapsed; one whose time is doubtful lives for a TTL from then on.
   */
  public List<LiveSession> live() {
    List<Seen> seen = look();
    List<LiveSession> running =
        seen.stream().filter(Seen::isRunning).limit(TOLD_MAX).map(Seen::told).toList();
    if (!running.isEmpty()) {
      return running;
    }
    List<LiveSession> live = new ArrayList<>();
    for (Seen session : seen) {
      endUnlessLive(session.id()).filter(alive -> live.size() < TOLD_MAX).ifPresent(live::add);
    }
    return live;
  }

  /** A session, and the server's clock at that time. */
  private record Seen(
      SessionId id, ProcessIdentity process, SessionDocument session, ClockReading clock) {

    boolean isRunning() {
      return session.judge(clock) == Verdict.RUNNING;
    }

    LiveSession told() {
      return new LiveSession(id, process, session.left(clock));
    }

    LiveSession toldAnew() {
      return new LiveSession(id, process, clock.lease(session.ttl()));
    }
  }

  private List<Seen> look() {
    List<Seen> seen = new ArrayList<>();
    Optional<String> supposed = Optional.of(sender.incarnationToWrite());
    String last = "";
    List<BsonDocument> page;
    do {
      page = sender.aggregate(CollectionRole.SESSIONS, FormerCommands.aliveWithTime(last, PAGE));
      for (BsonDocument document : page) {
        Instant now = Instant.ofEpochMilli(document.getDateTime("now").getValue());
        seen.add(seen(document, clock(now, supposed)));
        last = document.getString("_id").getValue();
      }
    } while (page.size() == PAGE);
    return seen;
  }

  private Seen seen(BsonDocument document, ClockReading clock) {
    // A server that repeats an answer leaves nothing out.
    document.remove("revoked");
    SessionDocument session = SessionDocument.read(document, sender.describe());
    return new Seen(
        new SessionId(document.getString("_id").getValue()),
        new ProcessIdentity(document.getString("process", NOT_TOLD).getValue()),
        session,
        clock);
  }

  private ClockReading clock(Instant now, Optional<String> incarnation) {
    boolean never = incarnation.filter(Connection.NEVER_KNOWN::equals).isPresent();
    return new ClockReading(
        now, incarnation, maxClockStep, never ? Sessions.MAX_CLOCK_SKEW : Duration.ZERO);
  }

  /**
   * Ends a session if it has lapsed, in the two steps in which its own version does so: the first
   * reads the server's time, and the second is a compare-and-set on the count of its renewals.
   *
   * @return the session if it lives; one that changes meanwhile is left to another look
   */
  private Optional<LiveSession> endUnlessLive(SessionId id) {
    Optional<String> before = sender.incarnationLookedFor();
    Optional<BsonDocument> judged =
        sender.change(
            CollectionRole.SESSIONS, FormerCommands.judgeable(id), FormerCommands.judge());
    if (judged.isEmpty()) {
      return Optional.empty();
    }
    Optional<String> incarnation =
        sender.incarnation().filter(after -> before.filter(after::equals).isPresent());
    Seen seen = seen(judged.get(), clock(SessionDocument.judgedAt(judged.get()), incarnation));
    BsonDocument unrenewed = SessionCommands.endable(id, seen.session().renewals());
    return switch (seen.session().judge(seen.clock())) {
      case RUNNING -> Optional.of(seen.told());
      case PASSED -> {
        sender.change(CollectionRole.SESSIONS, unrenewed, FormerCommands.expire(id));
        yield Optional.empty();
      }
      case DOUBTFUL -> {
        incarnation.ifPresent(
            present ->
                sender.change(CollectionRole.SESSIONS, unrenewed, SessionCommands.renew(present)));
        yield Optional.of(seen.toldAnew());
      }
    };
  }

  /**
   * Lets no further session in, for good: from then on the server refuses each document without an
   * {@code id}. It does so by an index that cannot be built while there are two of them, and one is
   * no session.
   *
   * @return whether it was built; if not, a session has come that may live
   */
  public boolean keepOut() {
    markThoseOver();
    // Once more with the index, since nothing else proves that the document is there.
    return place()
        && sender.index(CollectionRole.SESSIONS, Index.uniqueOn(SessionCommands.ID))
        && place();
  }

  private boolean place() {
    return sender
        .changeOrMake(CollectionRole.SESSIONS, FormerCommands.placeholder(), FormerCommands.place())
        .isPresent();
  }

  private void markThoseOver() {
    List<UpdateOneModel<BsonDocument>> marks;
    do {
      marks =
          sender
              .find(
                  CollectionRole.SESSIONS,
                  FormerCommands.over(),
                  SessionCommands.FIELDS,
                  "_id",
                  PAGE)
              .stream()
              .map(FormerCommands::mark)
              .toList();
      sender.bulk(CollectionRole.SESSIONS, marks);
    } while (marks.size() == PAGE);
  }
}
