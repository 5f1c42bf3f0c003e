package io.holdfast.engine;

import io.holdfast.BadRequestException;
import io.holdfast.Grant;
import io.holdfast.SessionId;
import io.holdfast.engine.Core.Turn;
import io.holdfast.engine.Lease.Stamp;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.Notice;
import io.holdfast.spi.Opened;
import io.holdfast.spi.Renewed;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.Resumed;
import io.holdfast.spi.Standing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Goes on with a session of an earlier life of this process. */
record Resumption(
    Core core, EngineClient client, Sessions sessions, Gates gates, ResumableSessions resumable) {

  /**
   * What the earlier life left.
   *
   * @param sent when the renewal was sent that the lease counts from
   * @param held what it holds
   * @param unwanted what it waits for, and what was revoked
   */
  private record Legacy(
      Stamp sent,
      Opened opened,
      Map<RequestKey, Standing.Holding> held,
      List<RequestKey> unwanted) {}

  List<Grant> resume(SessionId id) {
    Optional<Legacy> legacy =
        client.ask("Resuming session " + id, deadline -> legacy(id, deadline));
    return legacy.map(left -> takeOver(id, left)).orElse(List.of());
  }

  private Optional<Legacy> legacy(SessionId id, Deadline deadline) {
    Optional<Resumed> resumed = resumable.resume(id, deadline);
    Stamp sent = core.clocks.now();
    // Once more as a heartbeat: what was revoked meanwhile must not be held again.
    if (resumed.isEmpty() || !(core.backend.renew(id, deadline) instanceof Renewed.Alive alive)) {
      return Optional.empty();
    }
    Opened opened = new Opened(alive.ttl(), resumed.get().namespace(), alive.storeTime());
    List<RequestKey> requests = resumed.get().requests();
    List<Standing> standings = core.backend.look(id, requests, deadline);
    Map<RequestKey, Standing.Holding> held = new LinkedHashMap<>();
    List<RequestKey> unwanted = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      RequestKey key = requests.get(i);
      if (standings.get(i) instanceof Standing.Holding holding
          && !alive.notices().contains(new Notice.Revoked(key.request()))) {
        held.put(key, holding);
      } else {
        unwanted.add(key);
      }
    }
    return Optional.of(new Legacy(sent, opened, held, unwanted));
  }

  private List<Grant> takeOver(SessionId id, Legacy legacy) {
    try (Turn answered = core.turn()) {
      client.requireOpen();
      if (sessions.all().stream().anyMatch(session -> session.id.equals(id))) {
        throw new BadRequestException("The session %s is one of this client.".formatted(id));
      }
      legacy.held().keySet().forEach(this::requireFree);
      Session session = sessions.resume(id, legacy.opened(), legacy.sent());
      List<Grant> grants = new ArrayList<>();
      legacy.held().forEach((key, holding) -> grants.add(grant(session, key, holding)));
      legacy.unwanted().forEach(session::withdraw);
      // A late copy of what the earlier life has asked for may still turn up in it.
      session.retire();
      return grants;
    }
  }

  private void requireFree(RequestKey key) {
    String name = key.name().value();
    String prefix = core.settings.namePrefix();
    if (!name.startsWith(prefix) || name.length() == prefix.length()) {
      throw new BadRequestException(
          "The session holds the lock \"%s\", whose name does not begin with this client's prefix \"%s\"."
              .formatted(name, prefix));
    }
    if (!gates.isUnused(key.name())) {
      throw new BadRequestException(
          "The session holds the lock \"%s\", which this client has asked for itself. Resume before that."
              .formatted(name));
    }
  }

  private HeldGrant grant(Session session, RequestKey key, Standing.Holding holding) {
    Gate gate = gates.gate(key.name());
    HeldGrant grant =
        new HeldGrant(core, session, gate, key, holding.number(), holding.since(), false);
    gate.resumed(grant);
    return grant;
  }
}
