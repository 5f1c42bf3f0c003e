package io.holdfast.etcd.queue;

import io.etcd.jetcd.KeyValue;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Mark;
import io.holdfast.etcd.format.Seat;
import io.holdfast.etcd.session.Namespaces;
import io.holdfast.record.Liveness;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Released;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The verb {@code sweep}. Free locks have no keys, and etcd removes the keys of lapsed sessions.
 * Only requests with a lock-delay are left by a session that is over. Where no other request has
 * come for their locks, this begins the delays of those that hold, and removes those that wait.
 */
public final class Sweep {

  private static final int KEYS_PER_READ = 500;
  private static final int REQUESTS_MAX = 200;

  private final Keys keys;
  private final Namespaces namespaces;
  private final HolderStays stays;
  private final Releases releases;

  public Sweep(Keys keys, Namespaces namespaces, HolderStays stays, Releases releases) {
    this.keys = keys;
    this.namespaces = namespaces;
    this.stays = stays;
    this.releases = releases;
  }

  public int sweep(EtcdCalls calls) {
    int swept = 0;
    for (RequestKey request : orphans(calls)) {
      Optional<Entry> entry =
          Entry.find(calls, keys, namespaces, request)
              .filter(found -> found.liveness() == Liveness.ENDED);
      if (entry.isPresent() && isSwept(calls, entry.get())) {
        swept++;
      }
    }
    return swept;
  }

  private boolean isSwept(EtcdCalls calls, Entry entry) {
    if (entry.holds()) {
      return stays.beginDelay(calls, entry, List.of());
    }
    RequestKey key = entry.key();
    return releases.release(calls, key.name(), key.request()) != Released.NOTHING;
  }

  /** Returns requests with a lock-delay that has not begun, and without the mark of a session. */
  private List<RequestKey> orphans(EtcdCalls calls) {
    Set<Seat> orphans = new LinkedHashSet<>();
    Set<Seat> alive = new HashSet<>();
    Keys.Range rest = keys.marks();
    List<KeyValue> found;
    do {
      found = calls.keys(rest, KEYS_PER_READ).getKvs();
      for (KeyValue mark : found) {
        // The mark of the session comes first, in the order of the keys.
        keys.seatMarked(mark.getKey(), Mark.ALIVE).ifPresent(alive::add);
        keys.seatMarked(mark.getKey(), Mark.DELAY)
            .filter(seat -> mark.getLease() == 0 && !alive.contains(seat))
            .ifPresent(orphans::add);
      }
      if (!found.isEmpty()) {
        rest = rest.after(found.get(found.size() - 1).getKey());
      }
    } while (found.size() == KEYS_PER_READ && orphans.size() < REQUESTS_MAX);
    return orphans.stream()
        .flatMap(seat -> seat.request().stream().map(id -> new RequestKey(seat.name(), id)))
        .toList();
  }
}
