package io.holdfast.memory;

import io.holdfast.record.RequestId;
import io.holdfast.spi.answer.Notice;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A session that is not over. Guarded by the store's monitor. */
final class MemorySession {

  final Duration ttl;

  /** When it was last renewed, by whose clock. */
  Stamp renewed;

  /** Its requests that were revoked, until it has acknowledged each, and how long each may hold. */
  private final Map<RequestId, MemoryStay> revoked = new LinkedHashMap<>();

  MemorySession(Duration ttl, Stamp renewed) {
    this.ttl = ttl;
    this.renewed = renewed;
  }

  /**
   * A request was revoked and may hold for so long; of two times the one that ends first counts.
   */
  void mark(RequestId request, MemoryStay notice, Stamp now) {
    revoked.merge(request, notice, (before, next) -> before.endingFirst(next, now));
  }

  /** Returns whether there was such a notice. */
  boolean acknowledge(RequestId request) {
    return revoked.remove(request) != null;
  }

  /**
   * A notice that cannot be judged leaves no time: the end of its stay in the queue may be near.
   */
  List<Notice> notices(Stamp now) {
    return revoked.entrySet().stream()
        .<Notice>map(
            entry ->
                new Notice.Revoked(
                    entry.getKey(), entry.getValue().left(now).orElse(Duration.ZERO)))
        .toList();
  }

  MemorySession copy() {
    MemorySession copy = new MemorySession(ttl, renewed);
    copy.revoked.putAll(revoked);
    return copy;
  }
}
