package io.holdfast.mongo;

import io.holdfast.mongo.connection.CommandSender;
import io.holdfast.mongo.namespace.FormerNamespace;
import io.holdfast.mongo.queue.FormerLocks;
import io.holdfast.mongo.session.FormerSessions;
import io.holdfast.record.Retirement;
import io.holdfast.record.Retirement.InUse;
import io.holdfast.record.Retirement.LiveSession;
import io.holdfast.record.Retirement.Nothing;
import io.holdfast.record.Retirement.Retired;
import io.holdfast.spi.BackendFailure;
import java.util.List;
import java.util.Optional;

/**
 * Retires collections of version 1. No command of that version has a condition by which its clients
 * could be kept out, and one of them may have read the namespace long ago and open its session now.
 * So the server is made to refuse that, for good, and the step by which it begins to do so fails if
 * a session is there. Only then are the locks freed, and last the namespace becomes one of the
 * present version. Each step may be repeated, by another client too.
 */
final class Retirements {

  /** How often it begins anew because a session of version 1 has come and gone. */
  private static final int ROUNDS_MAX = 10;

  private final CommandSender sender;

  Retirements(CommandSender sender) {
    this.sender = sender;
  }

  Retirement retire() {
    Optional<FormerNamespace> found = FormerNamespace.find(sender);
    return found.isEmpty() ? new Nothing() : retire(found.get());
  }

  private Retirement retire(FormerNamespace former) {
    int protocol = former.settings().protocol();
    FormerSessions sessions = new FormerSessions(sender, former.settings().maxClockStep());
    for (int left = ROUNDS_MAX; left > 0; left--) {
      List<LiveSession> live = sessions.live();
      if (!live.isEmpty()) {
        return new InUse(protocol, live);
      }
      if (sessions.keepOut()) {
        new FormerLocks(sender, former.floor()).free();
        if (former.replace(sender) || former.isReplaced(sender)) {
          return new Retired(protocol);
        }
      }
    }
    throw new BackendFailure(
        sender.effect(),
        "The locks at %s were changed by other clients during every attempt to retire them. Try again."
            .formatted(sender.describe()),
        null);
  }
}
