package io.holdfast.mongo.queue;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.session.Sessions;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Resumed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Resumes sessions. The renewal comes first: from then on nothing of the session is removed by
 * others, and the primary that has confirmed it shows all that the session's earlier life has done.
 * A primary that was elected later may not show that yet.
 */
public final class Resumptions {

  /** How many locks one command reads: a queue may have a thousand requests. */
  private static final int PAGE = 100;

  private final Sessions sessions;

  public Resumptions(Sessions sessions) {
    this.sessions = sessions;
  }

  public Optional<Resumed> resume(CommandSender sender, SessionId session) {
    Optional<String> before = sender.incarnationLookedFor();
    if (!(sessions.renew(sender, session) instanceof Renewed.Alive alive)) {
      return Optional.empty();
    }
    NamespaceSettings settings = sessions.settle(sender);
    List<RequestKey> requests = requestsOf(sender, session);
    if (before.isEmpty() || !before.equals(sender.incarnation())) {
      throw new BackendFailure(
          sender.effect(),
          "The primary of %s has changed while session %s was resumed."
              .formatted(sender.describe(), session),
          null);
    }
    return Optional.of(new Resumed(alive.ttl(), settings, requests));
  }

  private static List<RequestKey> requestsOf(CommandSender sender, SessionId session) {
    List<RequestKey> found = new ArrayList<>();
    Optional<LockName> last = Optional.empty();
    List<LockDocument> page;
    do {
      page =
          sender
              .find(
                  CollectionRole.LOCKS,
                  LockCommands.queuesWith(session, last),
                  LockCommands.QUEUE,
                  "_id",
                  PAGE)
              .stream()
              .map(document -> LockDocument.read(document, sender.describe()))
              .toList();
      page.forEach(lock -> found.addAll(lock.requestsOf(session)));
      last = page.isEmpty() ? last : Optional.of(page.get(page.size() - 1).name());
    } while (page.size() == PAGE);
    return found;
  }
}
