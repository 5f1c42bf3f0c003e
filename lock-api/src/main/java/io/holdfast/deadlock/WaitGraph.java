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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which client waits for which, by the records of locks. A client may have several sessions: one
 * for each TTL and each partition.
 *
 * <p>A request waits for everything that stands ahead of it in the queue, holder or waiter, except
 * for shared requests that will hold together with it: those with which it is shared, and no
 * exclusive one between them. A holder that will leave by itself keeps no client waiting for ever:
 * one whose session has lapsed or ended, one that was revoked, one that only stays for a time.
 */
final class WaitGraph {

  /** A request in a queue. */
  private record Place(RequestId request, LockMode mode, boolean holds) {}

  /** Behind whom a client waits, and where. */
  private record Behind(String client, LockName lock) {}

  /** Sessions that tell nothing of what waits: they are over, or will be. */
  private final Set<SessionId> gone;

  /** By the client that waits. */
  private final Map<String, Map<Behind, Wait>> waits = new LinkedHashMap<>();

  WaitGraph(List<LockRecord> records) {
    gone =
        records.stream()
            .flatMap(record -> record.holders().stream())
            .filter(WaitGraph::isOver)
            .map(holder -> holder.request().session())
            .collect(Collectors.toSet());
    Set<String> suspects = suspects(records);
    records.forEach(record -> addWaits(record, suspects));
  }

  /**
   * Returns the clients that may be in a circle. A client that stands in one queue only is in none:
   * each client that waits for it waits for all those for which it waits. So most of a long queue
   * is passed over.
   */
  private Set<String> suspects(List<LockRecord> records) {
    Map<String, Set<LockName>> queues = new HashMap<>();
    for (LockRecord record : records) {
      Stream.concat(
              record.holders().stream().map(Holder::request),
              record.waiters().stream().map(Waiter::request))
          .filter(request -> !gone.contains(request.session()))
          .forEach(
              request ->
                  queues
                      .computeIfAbsent(clientOf(request), any -> new HashSet<>())
                      .add(record.name()));
    }
    queues.values().removeIf(names -> names.size() < 2);
    return queues.keySet();
  }

  private static String clientOf(RequestId request) {
    return request.session().client();
  }

  /** A holder that stays tells nothing of its session: the lock was given back. */
  private static boolean isOver(Holder holder) {
    return (holder.liveness() == Liveness.LAPSED || holder.liveness() == Liveness.ENDED)
        && holder.stay().isEmpty();
  }

  private void addWaits(LockRecord record, Set<String> suspects) {
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
      if (mayBeInACircle(waiter.request(), suspects)) {
        addWaits(record.name(), waiter, queue.subList(0, holders + i), suspects);
      }
    }
  }

  private boolean mayBeInACircle(RequestId request, Set<String> suspects) {
    return suspects.contains(clientOf(request)) && !gone.contains(request.session());
  }

  private static boolean staysUntilItIsGivenBack(Holder holder) {
    return holder.liveness() == Liveness.LIVE
        && holder.revokedAt().isEmpty()
        && holder.stay().isEmpty();
  }

  private void addWaits(LockName lock, Waiter waiter, List<Place> ahead, Set<String> suspects) {
    String client = clientOf(waiter.request());
    boolean excluded = waiter.mode() == LockMode.EXCLUSIVE;
    for (int i = ahead.size() - 1; i >= 0; i--) {
      Place place = ahead.get(i);
      String other = clientOf(place.request());
      excluded |= place.mode() == LockMode.EXCLUSIVE;
      if (excluded && mayBeInACircle(place.request(), suspects) && !other.equals(client)) {
        Wait wait = new Wait(lock, waiter, place.request(), place.holds());
        waits
            .computeIfAbsent(client, any -> new LinkedHashMap<>())
            .merge(
                new Behind(other, lock), wait, (known, more) -> known.aheadHolds() ? known : more);
      }
    }
  }

  /**
   * Returns for each client that is in a circle the shortest one, each circle once. A circle in
   * which a smaller one lies is left out: its clients wait for those of the smaller one. So is one
   * within one queue: a client is in it with several requests, and gives back the first of them
   * regardless of the others.
   */
  List<Deadlock> circles() {
    dropWhoWaitsForNoCircle();
    dropWhoKeepsNoCircleWaiting();
    List<Deadlock> shortest =
        waits.keySet().stream()
            .flatMap(client -> shortestFrom(client).stream())
            .sorted(Comparator.comparingInt(circle -> circle.waits().size()))
            .toList();
    List<Deadlock> kept = new ArrayList<>();
    for (Deadlock circle : shortest) {
      Set<String> clients = clients(circle);
      if (kept.stream().noneMatch(smaller -> clients.containsAll(clients(smaller)))) {
        kept.add(circle);
      }
    }
    return kept;
  }

  private static Set<String> clients(Deadlock circle) {
    return circle.sessions().stream().map(SessionId::client).collect(Collectors.toSet());
  }

  /**
   * Leaves out each client that waits for none, and again each that waits only for those left out.
   */
  private void dropWhoWaitsForNoCircle() {
    boolean changed = true;
    while (changed) {
      changed =
          waits
              .values()
              .removeIf(
                  others ->
                      others.keySet().stream().map(Behind::client).noneMatch(waits::containsKey));
    }
  }

  /**
   * Leaves out each client for which none waits, and again each for which only those wait that are
   * left out.
   */
  private void dropWhoKeepsNoCircleWaiting() {
    Map<String, Integer> waiting = new HashMap<>();
    waits
        .values()
        .forEach(others -> others.keySet().forEach(each -> count(waiting, each.client(), 1)));
    Queue<String> free = new ArrayDeque<>();
    waits.keySet().stream().filter(client -> !waiting.containsKey(client)).forEach(free::add);
    while (!free.isEmpty()) {
      for (Behind behind : Objects.requireNonNull(waits.remove(free.remove())).keySet()) {
        String other = behind.client();
        if (count(waiting, other, -1) == 0 && waits.containsKey(other)) {
          free.add(other);
        }
      }
    }
  }

  private static int count(Map<String, Integer> counts, String client, int more) {
    return Objects.requireNonNull(counts.merge(client, more, Integer::sum));
  }

  private Optional<Deadlock> shortestFrom(String start) {
    Set<Reached> reached = new HashSet<>();
    Queue<Way> open = new ArrayDeque<>(List.of(new Way(List.of(), Optional.empty())));
    while (!open.isEmpty()) {
      Way way = open.remove();
      for (Wait wait : waits.getOrDefault(way.end(start), Map.of()).values()) {
        Way longer = way.and(wait);
        String other = clientOf(wait.ahead());
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

  private record Reached(String client, Optional<LockName> onlyLock) {}

  /**
   * Waits of which each is for whom the next one waits.
   *
   * @param onlyLock the lock for which all of them are; empty if there are several
   */
  private record Way(List<Wait> waits, Optional<LockName> onlyLock) {

    String end(String start) {
      return waits.isEmpty() ? start : clientOf(waits.get(waits.size() - 1).ahead());
    }

    Way and(Wait wait) {
      return new Way(
          Stream.concat(waits.stream(), Stream.of(wait)).toList(),
          waits.isEmpty()
              ? Optional.of(wait.lock())
              : onlyLock.filter(lock -> lock.equals(wait.lock())));
    }

    boolean passes(String client) {
      return waits.stream().anyMatch(wait -> clientOf(wait.ahead()).equals(client));
    }
  }
}
