package io.holdfast.memory;

import io.holdfast.RequestId;
import io.holdfast.spi.Notice;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A session that is not over. Guarded by the store's monitor. */
final class MemorySession {

  final Duration ttl;

  /** When it was last renewed, by whose clock. */
  Stamp renewed;

  /** Its requests that were revoked, until it has acknowledged each. */
  final Set<RequestId> revoked = new LinkedHashSet<>();

  MemorySession(Duration ttl, Stamp renewed) {
    this.ttl = ttl;
    this.renewed = renewed;
  }

  List<Notice> notices() {
    return revoked.stream().<Notice>map(Notice.Revoked::new).toList();
  }

  MemorySession copy() {
    MemorySession copy = new MemorySession(ttl, renewed);
    copy.revoked.addAll(revoked);
    return copy;
  }
}
