package io.holdfast.engine;

import static java.util.Comparator.comparing;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.engine.gate.Gate;
import io.holdfast.engine.gate.Gates;
import io.holdfast.engine.hold.HeldGrant;
import io.holdfast.engine.hold.Hold;
import io.holdfast.engine.seam.Lease.Stamp;
import io.holdfast.engine.session.ClockTicks;
import io.holdfast.engine.session.Departure;
import io.holdfast.engine.session.Session;
import io.holdfast.engine.session.Sessions;
import io.holdfast.engine.turn.Core;
import io.holdfast.engine.turn.Turn;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LossReason;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.spi.answer.Notice;
import io.holdfast.spi.answer.Opened;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Resumed;
import io.holdfast.spi.answer.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BinaryOperator;

/** Goes on with a session of an earlier life of this process. */
record Resumption(
    Core core, EngineClient client, Sessions sessions, Gates gates, ResumableSessions resumable) {

  /**
   * The sessions and requests that the earlier life left.
   *
   * @param sent when the renewal was sent that the lease counts from
   * @param held what it holds
   * @param unwanted the requests that wait, and those that were revoked
   */
  private record Legacy(
      Stamp sent,
      Opened opened,
      Map<RequestKey, Standing.Holding> held,
      List<RequestKey> unwanted) {}

  List<Grant> resume(SessionId id) {
    ClockTicks ticks = beginTicks();
    try {
      Optional<Legacy> legacy =
          client.ask("Resuming session " + id, deadline -> legacy(id, deadline));
      return legacy.map(left -> takeOver(id, left)).orElse(List.of());
    } finally {
      ticks.end();
    }
  }

  private ClockTicks beginTicks() {
    ClockTicks ticks;
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      ticks = ClockTicks.begin(core, core.settings.defaultTtl(), turn);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    return ticks;
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
          && !isRevoked(key.request(), alive)) {
        held.put(key, holding);
      } else {
        unwanted.add(key);
      }
    }
    List<RequestKey> superseded = superseded(held);
    held.keySet().removeAll(superseded);
    unwanted.addAll(superseded);
    return Optional.of(new Legacy(sent, opened, held, unwanted));
  }

  /**
   * Of several requests that hold one lock the last is the grant, unless they share it: threads of
   * the earlier life may have shared it on different terms. A late copy of a request that it had
   * turned away from cannot be told from these, and becomes one more grant.
   */
  private static List<RequestKey> superseded(Map<RequestKey, Standing.Holding> held) {
    Map<LockName, RequestKey> last = new HashMap<>();
    for (RequestKey key : held.keySet()) {
      last.merge(key.name(), key, BinaryOperator.maxBy(comparing(each -> each.request().serial())));
    }
    List<RequestKey> superseded = new ArrayList<>();
    for (Map.Entry<RequestKey, Standing.Holding> each : held.entrySet()) {
      RequestKey key = each.getKey();
      RequestKey latest = last.getOrDefault(key.name(), key);
      boolean isShared =
          each.getValue().mode() == LockMode.SHARED
              && held.getOrDefault(latest, each.getValue()).mode() == LockMode.SHARED;
      if (!key.equals(latest) && !isShared) {
        superseded.add(key);
      }
    }
    return superseded;
  }

  private static boolean isRevoked(RequestId request, Renewed.Alive alive) {
    return alive.notices().stream()
        .anyMatch(
            notice ->
                notice instanceof Notice.Revoked revoked && revoked.request().equals(request));
  }

  private List<Grant> takeOver(SessionId id, Legacy legacy) {
    List<Grant> grants = new ArrayList<>();
    Turn turn = core.turn();
    turn.lock.lock();
    try {
      client.requireOpen(turn);
      requireStrange(id, turn);
      for (Map.Entry<RequestKey, Standing.Holding> held : legacy.held().entrySet()) {
        requireFree(held.getKey(), held.getValue().mode(), turn);
      }
      Session session = sessions.resume(id, legacy.opened(), legacy.sent(), turn);
      for (Map.Entry<RequestKey, Standing.Holding> held : legacy.held().entrySet()) {
        grants.add(grant(session, held.getKey(), held.getValue(), turn));
      }
      for (RequestKey key : legacy.unwanted()) {
        session.withdraw(Departure.atOnce(core, key, AcquireOptions.STAY_MAX), turn);
      }
      // A late copy of a call of the earlier life may still turn up in it.
      session.retire(turn);
      new LateRequests(core, resumable, session).begin(turn);
    } finally {
      turn.lock.unlock();
    }
    turn.carryOut();
    return grants;
  }

  @GuardedBy("turn.lock")
  private void requireStrange(SessionId id, Turn turn) {
    for (Session session : sessions.all(turn)) {
      if (session.id.equals(id)) {
        throw new BadRequestException("The session %s is one of this client.".formatted(id));
      }
    }
  }

  @GuardedBy("turn.lock")
  private void requireFree(RequestKey key, LockMode mode, Turn turn) {
    String name = key.name().value();
    String prefix = core.settings.namePrefix();
    if (!name.startsWith(prefix) || name.length() == prefix.length()) {
      throw new BadRequestException(
          "The session holds the lock \"%s\", whose name does not begin with this client's prefix \"%s\"."
              .formatted(name, prefix));
    }
    if (!gates.mayResume(key.name(), mode, turn)) {
      throw new BadRequestException(
          "The session holds the lock \"%s\", which this client has asked for itself. Resume before that."
              .formatted(name));
    }
  }

  @GuardedBy("turn.lock")
  private HeldGrant grant(Session session, RequestKey key, Standing.Holding holding, Turn turn) {
    Gate gate = gates.gate(key.name(), turn);
    Hold hold = Hold.resumed(core, session, gate, key, holding, turn);
    HeldGrant grant = hold.grantTo(Thread.currentThread(), turn);
    gate.resumed(hold, holding.mode(), turn);
    if (session.isOver()) {
      grant.lose(LossReason.LEASE_EXPIRED, turn); // It ran out while it was being resumed.
    } else {
      session.holds(hold, turn);
    }
    return grant;
  }
}
