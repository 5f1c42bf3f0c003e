package io.holdfast.memory.simulation;

import io.holdfast.Grant;
import io.holdfast.LockMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Knows until when locks stay taken, from what those who gave them back were told. */
final class StayJudge {

  /** The clocks of processes and store run at different rates. */
  private static final double RATE_MARGIN = 0.98;

  private record Kept(LockMode mode, long untilNanos) {}

  private final Map<String, List<Kept>> kept = new HashMap<>();
  private final Map<String, Integer> revoking = new HashMap<>();
  private final Map<String, Long> revokedAtNanos = new HashMap<>();

  /** The release of a grant, acquired then, was answered: its lock stays taken. */
  void stays(String lock, Grant grant, Duration atLeast, long acquiredNanos) {
    boolean mayBeRevoked =
        revoking.getOrDefault(lock, 0) > 0
            || revokedAtNanos.getOrDefault(lock, Long.MIN_VALUE) >= acquiredNanos;
    if (!mayBeRevoked) {
      long until = acquiredNanos + (long) (atLeast.toNanos() * RATE_MARGIN);
      kept.computeIfAbsent(lock, name -> new ArrayList<>()).add(new Kept(grant.mode(), until));
    }
  }

  /** A thread has been given a grant and believes in it. */
  void granted(String lock, Grant grant, long nowNanos) {
    for (Kept stays : kept.getOrDefault(lock, List.of())) {
      boolean mayShare = stays.mode() == LockMode.SHARED && grant.mode() == LockMode.SHARED;
      if (!mayShare && nowNanos < stays.untilNanos()) {
        throw new AssertionError(
            "%s was granted although the lock stays taken for %s"
                .formatted(grant, Duration.ofNanos(stays.untilNanos() - nowNanos)));
      }
    }
  }

  /** A revocation, which ends what stays, begins. */
  void revocationBegins(String lock) {
    revoking.merge(lock, 1, Integer::sum);
    kept.remove(lock);
  }

  void revocationEnds(String lock, long nowNanos) {
    revoking.merge(lock, -1, Integer::sum);
    revokedAtNanos.put(lock, nowNanos);
    kept.remove(lock);
  }
}
