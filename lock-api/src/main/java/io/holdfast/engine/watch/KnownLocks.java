package io.holdfast.engine.watch;

import io.holdfast.LockName;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.answer.Sighting;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A watch's knowledge of the locks that it watches. Guarded by the turn. */
final class KnownLocks {

  /**
   * For how long older states are held for stale. No server that was cut off answers as the present
   * one for longer.
   */
  static final long PATIENCE_NANOS = 60_000_000_000L;

  private final Map<LockName, KnownLock> locks = new LinkedHashMap<>();
  private final Set<LockName> seenInThisLook = new HashSet<>();

  void beginLook() {
    seenInThisLook.clear();
  }

  /** Takes note of what one call of a look has seen. Returns the states that are news. */
  List<LockRecord> see(List<Sighting> seen, long nowNanos) {
    List<LockRecord> news = new ArrayList<>();
    for (Sighting each : seen) {
      LockName name = each.record().name();
      seenInThisLook.add(name);
      KnownLock lock = locks.computeIfAbsent(name, missing -> new KnownLock());
      if (lock.see(each, nowNanos, PATIENCE_NANOS)) {
        news.add(each.record());
      }
    }
    return news;
  }

  /** Takes note that a look has seen all: a lock that is not listed is free. Returns the news. */
  List<LockRecord> endLook(long nowNanos) {
    List<LockRecord> news = new ArrayList<>();
    Iterator<Map.Entry<LockName, KnownLock>> all = locks.entrySet().iterator();
    while (all.hasNext()) {
      Map.Entry<LockName, KnownLock> known = all.next();
      if (!seenInThisLook.contains(known.getKey()) && !isFree(known.getValue(), nowNanos, news)) {
        all.remove();
      }
    }
    return news;
  }

  /** Returns false if the lock has been free for so long that it can be forgotten. */
  private static boolean isFree(KnownLock lock, long nowNanos, List<LockRecord> news) {
    Optional<LockRecord> free = lock.free();
    if (free.isEmpty()) {
      return !lock.isInDoubtFor(PATIENCE_NANOS, nowNanos);
    }
    if (lock.see(new Sighting(free.get(), Optional.empty()), nowNanos, PATIENCE_NANOS)) {
      news.add(free.get());
    }
    return true;
  }
}
