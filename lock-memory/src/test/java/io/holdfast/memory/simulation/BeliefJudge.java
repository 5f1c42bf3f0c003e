package io.holdfast.memory.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.FencingToken;
import io.holdfast.Grant;
import io.holdfast.LockMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Knows what all threads hold and have held, from what each of them is told. */
final class BeliefJudge {
  private final Map<String, List<Grant>> granted = new HashMap<>();
  private final Map<String, FencingToken> greatest = new HashMap<>();
  private final Map<String, FencingToken> greatestExclusive = new HashMap<>();
  private int grants;

  /**
   * A thread has been given a grant. It may be told late, as when its machine slept meanwhile, and
   * then does not believe in it.
   */
  void granted(String lock, Grant grant) {
    granted.computeIfAbsent(lock, name -> new ArrayList<>()).add(grant);
    if (!grant.isHeld()) {
      return;
    }
    grants++;
    boolean isExclusive = grant.mode() == LockMode.EXCLUSIVE;
    FencingToken before = (isExclusive ? greatest : greatestExclusive).get(lock);
    if (before != null) {
      assertThat(grant.token()).as("token of %s after %s", lock, before).isGreaterThan(before);
    }
    requireCompatible(lock, grant);
    if (isExclusive) {
      raise(greatestExclusive, lock, grant);
    }
  }

  private static void raise(Map<String, FencingToken> tokens, String lock, Grant grant) {
    tokens.merge(lock, grant.token(), (one, other) -> one.compareTo(other) > 0 ? one : other);
  }

  /** Who holds a lock exclusively holds it alone. */
  void requireCompatible(String lock, Grant grant) {
    raise(greatest, lock, grant); // A downgrade has given it another token.
    for (Grant other : granted.getOrDefault(lock, List.of())) {
      boolean mayBeThere = isShared(other) && isShared(grant);
      if (other != grant && !mayBeThere && believes(other)) {
        throw new AssertionError("Two hold " + lock + ": " + other + " and " + grant);
      }
    }
  }

  private static boolean isShared(Grant grant) {
    return grant.mode() == LockMode.SHARED;
  }

  void downgraded(String lock, Grant grant) {
    raise(greatest, lock, grant);
  }

  /** Asking makes the asker the user of a grant, which it is not. */
  private static boolean believes(Grant grant) {
    boolean believes = grant.isHeld();
    grant.handOver();
    return believes;
  }

  public int grants() {
    return grants;
  }

  void released(String lock, Grant grant) {
    assertThat(grant.isHeld()).as("whether %s is held after its release", grant).isFalse();
    granted.getOrDefault(lock, List.of()).remove(grant);
  }
}
