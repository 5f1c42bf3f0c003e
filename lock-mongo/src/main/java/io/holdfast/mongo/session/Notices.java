package io.holdfast.mongo.session;

import io.holdfast.SessionId;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.session.SessionDocument.Eviction;
import io.holdfast.mongo.session.Sessions.Judged;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendFailure;
import java.time.Duration;
import java.util.Optional;
import org.bson.BsonDocument;

/** The notices that requests were revoked. Every answer to a renewal has those of its session. */
public final class Notices {

  private final Sessions sessions;

  public Notices(Sessions sessions) {
    this.sessions = sessions;
  }

  /**
   * Notes that a session must give up a request, and returns the session; empty if it is over. Of
   * two notices that one counts which leaves less time.
   *
   * @param notice for how long it may keep the request
   */
  public Optional<SessionDocument> notifyRevoked(
      CommandSender sender, RequestId request, Duration notice) {
    SessionId id = request.session();
    BsonDocument unlessSooner =
        notice.isZero() ? SessionCommands.judgeable(id) : SessionCommands.untold(request);
    Optional<SessionDocument> told = tell(sender, unlessSooner, request, notice);
    if (told.isPresent()) {
      return told;
    }
    Optional<Judged> judged = notice.isZero() ? Optional.empty() : sessions.judge(sender, id);
    Optional<Eviction> earlier =
        judged.map(Judged::session).map(session -> session.revoked().get(request));
    if (earlier.isPresent()) {
      return earlier.get().left(judged.get().clock()).compareTo(notice) <= 0
          ? judged.map(Judged::session)
          : tell(sender, SessionCommands.told(request, earlier.get().notice()), request, notice)
              .or(() -> notifyRevoked(sender, request, notice));
    }
    if (!sessions.isOver(sender, id)) {
      throw new BackendFailure(
          sender.effect(),
          "%s answered the revocation of %s from an old state. Is its primary cut off?"
              .formatted(sender.describe(), request),
          null);
    }
    return Optional.empty();
  }

  private static Optional<SessionDocument> tell(
      CommandSender sender, BsonDocument filter, RequestId request, Duration notice) {
    return sender
        .change(
            CollectionRole.SESSIONS,
            filter,
            SessionCommands.notifyRevoked(request, notice, sender.incarnationToWrite()))
        .map(document -> SessionDocument.read(document, sender.describe()));
  }

  public void acknowledge(CommandSender sender, RequestId request) {
    sender.change(
        CollectionRole.SESSIONS,
        SessionCommands.renewable(request.session()),
        SessionCommands.acknowledge(request));
  }
}
