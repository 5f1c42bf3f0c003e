package io.holdfast.deadlock;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.deadlock.Deadlock.Wait;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Waiter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Which session waits for which, by the records of locks.
 *
 * <p>A request waits for everything that stands ahead of it in the queue, holder or waiter, except
 * for shared requests that will hold together with it: those with which it is shared, and no
 * exclusive one between them. What will leave by itself keeps nobody waiting for ever: a holder
 * whose session has lapsed or ended, one that was revoked, one that only stays for a time.
 */
final class WaitGraph {

  /** What stands in a queue. */
  private record Place(RequestId request, LockMode mode, boolean holds) {}

  /** Behind whom a session waits, and where. */
  private record Behind(SessionId session, LockName lock) {}

  /** By the session that waits. */
  private final Map<SessionId, Map<Behind, Wait>> waits = new LinkedHashMap<>();

  WaitGraph(List<LockRecord> records) {
    Set<SessionId> suspects = suspects(records);
    records.forEach(record -> addWaits(record, suspects));
  }

  /**
   * Returns the sessions that may be in a circle. Who stands in one queue only is in none: whoever
   * waits for it waits for all those for whom it waits. So most of a long queue is passed over.
   */
  private static Set<SessionId> suspects(List<LockRecord> records) {
    Map<SessionId, Set<LockName>> queues = new HashMap<>();
    Set<SessionId> gone = new HashSet<>();
    for (LockRecord record : records) {
      for (Holder holder : record.holders()) {
        queues.computeIfAbsent(sessionOf(holder), any -> new HashSet<>()).add(record.name());
        if (isOver(holder)) {
          gone.add(sessionOf(holder));
        }
      }
      for (Waiter waiter : record.waiters()) {
        SessionId session = waiter.request().session();
        queues.computeIfAbsent(session, any -> new HashSet<>()).add(record.name());
      }
    }
    queues.values().removeIf(names -> names.size() < 2);
    queues.keySet().removeAll(gone);
    return queues.keySet();
  }

  private static SessionId sessionOf(Holder holder) {
    return holder.request().session();
  }

  /** What stays without its session tells nothing of it: the lock was given back. */
  private static boolean isOver(Holder holder) {
    return (holder.liveness() == Liveness.LAPSED || holder.liveness() == Liveness.ENDED)
        && holder.stay().isEmpty();
  }

  private void addWaits(LockRecord record, Set<SessionId> suspects) {
    List<Place> queue =
        Stream.concat(
                record.holders().stream()
                    .filter(WaitGraph::staysUntilItIsGivenBack)
                    .map(holder -> new Place(holder.request(), holder.mode(), true)),
                record.waiters().stream()
                    .map(waiter -> new Place(waiter.request(), waiter.mode(), false)))
            .toList();
    int holders = queue.size() - record.waiters().size();
    for (int i = 0; i < record.waiters().size(); i++) {
      Waiter waiter = record.waiters().get(i);
      if (suspects.contains(waiter.request().session())) {
        addWaits(record.name(), waiter, queue.subList(0, holders + i), suspects);
      }
    }
  }

  private static boolean staysUntilItIsGivenBack(Holder holder) {
    return holder.liveness() == Liveness.LIVE
        && holder.revokedAt().isEmpty()
        && holder.stay().isEmpty();
  }

  private void addWaits(LockName lock, Waiter waiter, List<Place> ahead, Set<SessionId> suspects) {
    SessionId session = waiter.request().session();
    boolean excluded = waiter.mode() == LockMode.EXCLUSIVE;
    for (int i = ahead.size() - 1; i >= 0; i--) {
      Place place = ahead.get(i);
      SessionId other = place.request().session();
      excluded |= place.mode() == LockMode.EXCLUSIVE;
      if (excluded && suspects.contains(other) && !other.equals(session)) {
        Wait wait = new Wait(lock, waiter, place.request(), place.holds());
        waits
            .computeIfAbsent(session, any -> new LinkedHashMap<>())
            .merge(
                new Behind(other, lock), wait, (known, more) -> known.aheadHolds() ? known : more);
      }
    }
  }

  /**
   * Returns for each session that is in a circle the shortest one, each circle once. A circle in
   * which a smaller one lies is left out: its sessions wait for those of the smaller one. So is one
   * within one queue: a session is in it with several requests, and gives back the first of them
   * whatever becomes of the others.
   */
  List<Deadlock> circles() {
    dropWhoWaitsForNoCircle();
    dropWhoKeepsNoCircleWaiting();
    List<Deadlock> shortest =
        waits.keySet().stream()
            .flatMap(session -> shortestFrom(session).stream())
            .sorted(Comparator.comparingInt(circle -> circle.waits().size()))
            .toList();
    List<Deadlock> kept = new ArrayList<>();
    for (Deadlock circle : shortest) {
      Set<SessionId> sessions = new HashSet<>(circle.sessions());
      if (kept.stream().noneMatch(smaller -> sessions.containsAll(smaller.sessions()))) {
        kept.add(circle);
      }
    }
    return kept;
  }

  /** Leaves out who waits for nobody, and again who waits only for those that are left out. */
  private void dropWhoWaitsForNoCircle() {
    boolean changed = true;
    while (changed) {
      changed =
          waits
              .values()
              .removeIf(
                  others ->
                      others.keySet().stream().map(Behind::session).noneMatch(waits::containsKey));
    }
  }

  /** Leaves out for whom nobody waits, and again for whom only those wait that are left out. */
  private void dropWhoKeepsNoCircleWaiting() {
    Map<SessionId, Integer> waiting = new HashMap<>();
    waits
        .values()
        .forEach(others -> others.keySet().forEach(each -> count(waiting, each.session(), 1)));
    Queue<SessionId> free = new ArrayDeque<>();
    waits.keySet().stream().filter(session -> !waiting.containsKey(session)).forEach(free::add);
    while (!free.isEmpty()) {
      for (Behind behind : Objects.requireNonNull(waits.remove(free.remove())).keySet()) {
        SessionId other = behind.session();
        if (count(waiting, other, -1) == 0 && waits.containsKey(other)) {
          free.add(other);
        }
      }
    }
  }

  private static int count(Map<SessionId, Integer> counts, SessionId session, int more) {
    return Objects.requireNonNull(counts.merge(session, more, Integer::sum));
  }

  private Optional<Deadlock> shortestFrom(SessionId start) {
    Set<Reached> reached = new HashSet<>();
    Queue<Way> open = new ArrayDeque<>(List.of(new Way(List.of(), Optional.empty())));
    while (!open.isEmpty()) {
      Way way = open.remove();
      for (Wait wait : waits.getOrDefault(way.end(start), Map.of()).values()) {
        Way longer = way.and(wait);
        SessionId other = wait.ahead().session();
        if (!other.equals(start)) {
          if (!way.passes(other) && reached.add(new Reached(other, longer.onlyLock()))) {
            open.add(longer);
          }
        } else if (longer.onlyLock().isEmpty()) {
          return Optional.of(new Deadlock(longer.waits()));
        }
      }
    }
    return Optional.empty();
  }

  private record Reached(SessionId session, Optional<LockName> onlyLock) {}

  /**
   * Waits of which each is for whom the next one waits.
   *
   * @param onlyLock the lock for which all of them are; empty if there are several
   */
  private record Way(List<Wait> waits, Optional<LockName> onlyLock) {

    SessionId end(SessionId start) {
      return waits.isEmpty() ? start : waits.get(waits.size() - 1).ahead().session();
    }

    Way and(Wait wait) {
      return new Way(
          Stream.concat(waits.stream(), Stream.of(wait)).toList(),
          waits.isEmpty()
              ? Optional.of(wait.lock())
              : onlyLock.filter(lock -> lock.equals(wait.lock())));
    }

    boolean passes(SessionId session) {
      return waits.stream().anyMatch(wait -> wait.ahead().session().equals(session));
    }
  }
}
