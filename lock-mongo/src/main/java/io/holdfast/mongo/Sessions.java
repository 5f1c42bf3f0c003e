package io.holdfast.mongo;

import io.holdfast.BadRequestException;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.mongo.MongoNames.Part;
import io.holdfast.mongo.SessionDocument.Clock;
import io.holdfast.mongo.SessionDocument.Known;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Ended;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.Notice;
import io.holdfast.spi.Opened;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.SessionSpec;
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
 * The verbs on sessions. A session is over when its document says so. One that has no document is
 * over too, but only after one was written that says so: a primary that has been replaced without
 * knowing may simply not have heard of a session yet.
 */
final class Sessions {

  /**
   * How far the clocks of two primaries may differ where it cannot be known that there were two: it
   * is added to every lease there.
   */
  private static final Duration MAX_CLOCK_SKEW = Duration.ofSeconds(5);

  private final Namespace namespace;
  private final OwnSessions own;
  private final StoreClock clock;

  Sessions(Namespace namespace, OwnSessions own, StoreClock clock) {
    this.namespace = namespace;
    this.own = own;
    this.clock = clock;
  }

  Opened open(Call call, SessionSpec spec) {
    NamespaceSettings settings = namespace.require(call);
    settings.requireTtl(spec.ttl());
    BsonDocument document =
        call.changeOrMake(
                Part.SESSIONS,
                SessionCommands.unused(spec.id()),
                SessionCommands.open(spec, call.incarnationToWrite()))
            .orElseThrow(
                () ->
                    new BadRequestException(
                        "Session %s was opened before; an id is used once.".formatted(spec.id())));
    SessionDocument session = SessionDocument.read(document, call.describe());
    clock.told(session.renewed());
    own.lives(spec.id());
    return new Opened(session.ttl(), settings, Optional.of(session.renewed()));
  }

  Renewed renew(Call call, SessionId id) {
    Optional<BsonDocument> document =
        call.change(
            Part.SESSIONS,
            SessionCommands.renewable(id),
            SessionCommands.renew(call.incarnationToWrite()));
    if (document.isEmpty()) {
      if (isOver(call, id)) {
        return new Renewed.Over();
      }
      throw new BackendFailure(
          call.effect(),
          "%s answered the renewal of session %s from an old state. Is its primary cut off?"
              .formatted(call.describe(), id),
          null);
    }
    SessionDocument session = SessionDocument.read(document.get(), call.describe());
    clock.told(session.renewed());
    own.lives(id);
    return new Renewed.Alive(
        session.ttl(),
        session.revoked().stream().<Notice>map(Notice.Revoked::new).toList(),
        Optional.of(session.renewed()));
  }

  Ended end(Call call, SessionId id, EndIf when) {
    switch (when) {
      case CLOSED -> {
        own.isOver(id);
        call.write(Part.SESSIONS, SessionCommands.byId(id), SessionCommands.close());
        return Ended.OVER;
      }
      case LAPSED -> {
        return endLapsed(call, id) ? Ended.OVER : Ended.ALIVE;
      }
    }
    throw new IllegalArgumentException("Not a condition: " + when);
  }

  /**
   * In two steps: the time is asked for first, and whether it is comparable is judged by the
   * election before and after; the compare-and-set has no time in it.
   */
  private boolean endLapsed(Call call, SessionId id) {
    Optional<Judged> judged = judge(call, id);
    if (judged.isEmpty()) {
      return isOver(call, id);
    }
    SessionDocument session = judged.get().session();
    Clock now = judged.get().clock();
    return switch (now.judge(session)) {
      case RUNNING -> false;
      case PASSED -> {
        BsonDocument asSeen = SessionCommands.endable(id, session.renewals());
        boolean ended = call.change(Part.SESSIONS, asSeen, SessionCommands.expire()).isPresent();
        yield ended || isOver(call, id);
      }
      case DOUBTFUL -> {
        if (now.incarnation().isPresent()) {
          BsonDocument asSeen = SessionCommands.endable(id, session.renewals());
          Update restamp = SessionCommands.renew(now.incarnation().get());
          call.change(Part.SESSIONS, asSeen, restamp);
        }
        yield false;
      }
    };
  }

  /** A session and the time at the server at which it was so. */
  record Judged(SessionDocument session, Clock clock) {}

  /** Looks at a session closely; empty if it was not there or over. */
  Optional<Judged> judge(Call call, SessionId id) {
    Optional<String> before = call.incarnationLookedFor();
    return call.change(Part.SESSIONS, SessionCommands.judgeable(id), SessionCommands.judge())
        .map(document -> judged(call, document, before));
  }

  /** Whose clock it was is not known if the primary changed meanwhile. */
  private Judged judged(Call call, BsonDocument document, Optional<String> before) {
    Instant now = SessionDocument.judgedAt(document);
    clock.told(now);
    Optional<String> same =
        call.incarnation().filter(after -> before.filter(after::equals).isPresent());
    return new Judged(SessionDocument.read(document, call.describe()), clock(call, now, same));
  }

  private Clock clock(Call call, Instant now, Optional<String> incarnation) {
    Duration step = namespace.settings(call).maxClockStep();
    boolean never = incarnation.filter(Connection.NEVER_KNOWN::equals).isPresent();
    return new Clock(now, incarnation, never ? step.plus(MAX_CLOCK_SKEW) : step);
  }

  /** Returns whether a session is over for good. One that is not there is so from now on. */
  boolean isOver(Call call, SessionId id) {
    BsonDocument document =
        call.write(Part.SESSIONS, SessionCommands.byId(id), SessionCommands.confirmMissing());
    boolean over = SessionDocument.isOver(document);
    if (over) {
      own.isOver(id);
    }
    return over;
  }

  /**
   * Tells which sessions are alive, and the server's time. That is good enough for hints: where it
   * matters, whoever acts on them looks closely.
   */
  Known known(Call call, Collection<SessionId> ids) {
    Map<String, SessionDocument> alive = new HashMap<>();
    Instant now = Instant.EPOCH;
    List<SessionId> missing = new ArrayList<>(ids);
    for (BsonDocument document :
        call.aggregate(Part.SESSIONS, SessionCommands.withTime(List.copyOf(ids)))) {
      String id = document.getString("_id").getValue();
      missing.remove(new SessionId(id));
      now = Instant.ofEpochMilli(document.getDateTime("now").getValue());
      if (!SessionDocument.isOver(document)) {
        alive.put(id, SessionDocument.read(document, call.describe()));
      }
    }
    for (SessionId id : missing) {
      if (!isOver(call, id)) {
        judge(call, id).ifPresent(judged -> alive.put(id.value(), judged.session()));
      }
    }
    return new Known(alive, clock(call, now, Optional.of(call.incarnationToWrite())));
  }

  void acknowledge(Call call, RequestId request) {
    call.change(
        Part.SESSIONS,
        SessionCommands.renewable(request.session()),
        SessionCommands.acknowledge(request));
  }
}
