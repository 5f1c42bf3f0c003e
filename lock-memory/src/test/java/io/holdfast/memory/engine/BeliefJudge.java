package io.holdfast.memory.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.FencingToken;
import io.holdfast.Grant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Knows what all threads hold and have held, from what each of them is told. */
final class BeliefJudge {
  private final Map<String, List<Grant>> granted = new HashMap<>();
  private final Map<String, FencingToken> last = new HashMap<>();
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
    requireAlone(lock, grant);
    FencingToken before = last.put(lock, grant.token());
    if (before != null) {
      assertThat(grant.token()).as("token of %s after %s", lock, before).isGreaterThan(before);
    }
  }

  void requireAlone(String lock, Grant grant) {
    for (Grant other : granted.getOrDefault(lock, List.of())) {
      if (other != grant && believes(other)) {
        throw new AssertionError("Two hold " + lock + ": " + other + " and " + grant);
      }
    }
  }

  /** Asking makes the asker the user of a grant, which it is not. */
  private static boolean believes(Grant grant) {
    boolean believes = grant.isHeld();
    grant.handOver();
    return believes;
  }

  int grants() {
    return grants;
  }

  void released(String lock, Grant grant) {
    assertThat(grant.isHeld()).as("whether %s is held after its release", grant).isFalse();
    granted.getOrDefault(lock, List.of()).remove(grant);
  }
}
