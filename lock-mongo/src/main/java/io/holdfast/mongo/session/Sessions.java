package io.holdfast.mongo.session;

import io.holdfast.SessionId;
import io.holdfast.error.BadRequestException;
import io.holdfast.mongo.clock.ClockReading;
import io.holdfast.mongo.clock.StoreClock;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.connection.Connection;
import io.holdfast.mongo.connection.Update;
import io.holdfast.mongo.namespace.Namespace;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Renewed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * The verbs on sessions. A session is over when its document says so. A session without a document
 * is over too, but only after a document was written that says so: a primary that has been replaced
 * without knowing it may not have the session's document yet.
 */
public final class Sessions {

  /**
   * The bound on the difference between two primaries' clocks. It is added to every lease where the
   * incarnation cannot be known.
   */
  static final Duration MAX_CLOCK_SKEW = Duration.ofSeconds(5);

  private final Namespace namespace;
  private final OwnSessions own;
  private final StoreClock clock;

  public Sessions(Namespace namespace, OwnSessions own, StoreClock clock) {
    this.namespace = namespace;
    this.own = own;
    this.clock = clock;
  }

  public Opened open(CommandSender sender, SessionSpec spec) {
    NamespaceSettings settings = namespace.require(sender);
    settings.requireTtl(spec.ttl());
    BsonDocument document =
        sender
            .changeOrMake(
                CollectionRole.SESSIONS,
                SessionCommands.unused(spec.id()),
                SessionCommands.open(spec, sender.incarnationToWrite()))
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "Session %s was opened before; an id is used once.".formatted(spec.id())));
    SessionDocument session = SessionDocument.read(document, sender.describe());
    clock.observe(session.renewed());
    own.markAlive(spec.id());
    return new Opened(session.ttl(), settings, Optional.of(session.renewed()));
  }

  public Renewed renew(CommandSender sender, SessionId id) {
    Optional<String> before = sender.incarnation();
    Optional<BsonDocument> document =
        sender.change(
            CollectionRole.SESSIONS,
            SessionCommands.renewable(id),
            SessionCommands.renew(sender.incarnationToWrite()));
    if (document.isEmpty()) {
      if (isOver(sender, id)) {
        return new Renewed.Over();
      }
      throw new BackendFailure(
          sender.effect(),
          "%s answered the renewal of session %s from an old state. Is its primary cut off?"
              .formatted(sender.describe(), id),
          null);
    }
    SessionDocument session = SessionDocument.read(document.get(), sender.describe());
    clock.observe(session.renewed());
    own.markAlive(id);
    return new Renewed.Alive(
        session.ttl(),
        notices(session, clockOfNotices(sender, id, session, before)),
        Optional.of(session.renewed()));
  }

  /**
   * Returns the clock by which a session's notices are judged. It is read again if the primary was
   * not known when the renewal was sent: otherwise an error on the connection would end a notice.
   */
  private ClockReading clockOfNotices(
      CommandSender sender, SessionId id, SessionDocument session, Optional<String> before) {
    ClockReading clock = reading(sender, session.renewed(), before);
    return clock.incarnation().isEmpty() && session.hasNotice()
        ? judge(sender, id).map(Judged::clock).orElse(clock)
        : clock;
  }

  private static List<Notice> notices(SessionDocument session, ClockReading clock) {
    return session.revoked().entrySet().stream()
        .<Notice>map(
            revoked -> new Notice.Revoked(revoked.getKey(), revoked.getValue().left(clock)))
        .toList();
  }

  public Ended end(CommandSender sender, SessionId id, EndIf when) {
    switch (when) {
      case CLOSED -> {
        own.markOver(id);
        sender.write(CollectionRole.SESSIONS, SessionCommands.byId(id), SessionCommands.close(id));
        return Ended.OVER;
      }
      case LAPSED -> {
        return endLapsed(sender, id) ? Ended.OVER : Ended.ALIVE;
      }
    }
    throw new IllegalArgumentException("Not a condition: " + when);
  }

  /**
   * Ends a session in two steps. The first reads the server's time; the incarnation before and
   * after tells whether recorded times can be compared with it. The second is a compare-and-set
   * without a time in its condition.
   */
  private boolean endLapsed(CommandSender sender, SessionId id) {
    Optional<Judged> judged = judge(sender, id);
    if (judged.isEmpty()) {
      return isOver(sender, id);
    }
    SessionDocument session = judged.get().session();
    ClockReading now = judged.get().clock();
    return switch (session.judge(now)) {
      case RUNNING -> false;
      case PASSED -> {
        BsonDocument unrenewed = SessionCommands.endable(id, session.renewals());
        boolean ended =
            sender.change(CollectionRole.SESSIONS, unrenewed, SessionCommands.expire()).isPresent();
        yield ended || isOver(sender, id);
      }
      case DOUBTFUL -> {
        if (now.incarnation().isPresent()) {
          BsonDocument unrenewed = SessionCommands.endable(id, session.renewals());
          Update restamp = SessionCommands.renew(now.incarnation().get());
          sender.change(CollectionRole.SESSIONS, unrenewed, restamp);
        }
        yield false;
      }
    };
  }

  /** A session, and the server's clock at the time of reading it. */
  record Judged(SessionDocument session, ClockReading clock) {}

  /**
   * Reads a session and the server's clock by a write; empty if the session was missing or over.
   */
  Optional<Judged> judge(CommandSender sender, SessionId id) {
    Optional<String> before = sender.incarnationLookedFor();
    return sender
        .change(CollectionRole.SESSIONS, SessionCommands.judgeable(id), SessionCommands.judge())
        .map(document -> judged(sender, document, before));
  }

  private Judged judged(CommandSender sender, BsonDocument document, Optional<String> before) {
    Instant now = SessionDocument.judgedAt(document);
    return new Judged(
        SessionDocument.read(document, sender.describe()), reading(sender, now, before));
  }

  /**
   * Returns a reading of the server's clock. Its incarnation is unknown if the primary changed in
   * between.
   *
   * @param now the time in an answer that has just arrived
   * @param before the incarnation of the primary when the question was sent
   */
  public ClockReading reading(CommandSender sender, Instant now, Optional<String> before) {
    clock.observe(now);
    Optional<String> same =
        sender.incarnation().filter(after -> before.filter(after::equals).isPresent());
    return clock(sender, now, same);
  }

  private ClockReading clock(CommandSender sender, Instant now, Optional<String> incarnation) {
    boolean never = incarnation.filter(Connection.NEVER_KNOWN::equals).isPresent();
    return new ClockReading(
        now,
        incarnation,
        namespace.settings(sender).maxClockStep(),
        never ? MAX_CLOCK_SKEW : Duration.ZERO);
  }

  /** Returns whether a session is over for good. A missing session is over from now on. */
  public boolean isOver(CommandSender sender, SessionId id) {
    return SessionDocument.isOver(confirmed(sender, id));
  }

  /** Returns a session's document as only the real primary knows it. */
  private BsonDocument confirmed(CommandSender sender, SessionId id) {
    BsonDocument document =
        sender.write(
            CollectionRole.SESSIONS, SessionCommands.byId(id), SessionCommands.confirmMissing(id));
    if (SessionDocument.isOver(document)) {
      own.markOver(id);
    }
    return document;
  }

  /**
   * Returns which sessions are alive, and the server's time. A session that is not among them is
   * over for good. Whether a lease has passed is only a hint: a client that acts on it uses {@link
   * #judge} first.
   */
  public LiveSessions readLive(CommandSender sender, Collection<SessionId> ids) {
    Map<String, SessionDocument> alive = new HashMap<>();
    Instant now = Instant.EPOCH;
    List<SessionId> missing = new ArrayList<>(ids);
    for (BsonDocument document :
        sender.aggregate(CollectionRole.SESSIONS, SessionCommands.withTime(List.copyOf(ids)))) {
      String id = document.getString("_id").getValue();
      missing.remove(new SessionId(id));
      now = Instant.ofEpochMilli(document.getDateTime("now").getValue());
      if (!SessionDocument.isOver(document)) {
        alive.put(id, SessionDocument.read(document, sender.describe()));
      }
    }
    for (SessionId id : missing) {
      BsonDocument document = confirmed(sender, id);
      now = SessionDocument.judgedAt(document);
      if (!SessionDocument.isOver(document)) {
        alive.put(id.value(), SessionDocument.read(document, sender.describe()));
      }
    }
    return new LiveSessions(alive, clock(sender, now, Optional.of(sender.incarnationToWrite())));
  }

  /** Returns the settings, after checking them against those that this client asks for. */
  public NamespaceSettings settle(CommandSender sender) {
    return namespace.require(sender);
  }

  public NamespaceSettings settings(CommandSender sender) {
    return namespace.settings(sender);
  }
}
