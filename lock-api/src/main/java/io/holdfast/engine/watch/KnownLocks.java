package io.holdfast.engine.watch;

import io.holdfast.LockName;
import io.holdfast.LockRecord;
import io.holdfast.spi.Sighting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a watch knows of the locks that it watches. Guarded by the turn. */
final class KnownLocks {

  /**
   * For how long older states are held for stale. No server that was cut off answers as the present
   * one for longer.
   */
  static final long PATIENCE_NANOS = 60_000_000_000L;

  private final Map<LockName, KnownLock> locks = new LinkedHashMap<>();

  /** Takes note of all that one look has seen. Returns the states that are news. */
  List<LockRecord> see(List<Sighting> seen, long nowNanos) {
    List<LockRecord> news = new ArrayList<>();
    Set<LockName> names = new HashSet<>();
    for (Sighting each : seen) {
      LockName name = each.record().name();
      names.add(name);
      if (locks
          .computeIfAbsent(name, missing -> new KnownLock())
          .see(each, nowNanos, PATIENCE_NANOS)) {
        news.add(each.record());
      }
    }
    Iterator<Map.Entry<LockName, KnownLock>> rest = locks.entrySet().iterator();
    while (rest.hasNext()) {
      Map.Entry<LockName, KnownLock> known = rest.next();
      if (!names.contains(known.getKey()) && !free(known.getValue(), nowNanos, news)) {
        rest.remove();
      }
    }
    return news;
  }

  /** A lock that is not listed is free. Returns false if it has been for so long that it can go. */
  private static boolean free(KnownLock lock, long nowNanos, List<LockRecord> news) {
    Optional<LockRecord> free = lock.free();
    if (free.isEmpty()) {
      return !lock.isInDoubtFor(PATIENCE_NANOS, nowNanos);
    }
    boolean unused = lock.see(new Sighting(free.get(), Optional.empty()), nowNanos, PATIENCE_NANOS);
    news.add(free.get());
    return true;
  }
}
