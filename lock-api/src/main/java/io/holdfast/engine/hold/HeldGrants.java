package io.holdfast.engine.hold;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.holdfast.engine.turn.Turn;
import java.util.List;
import java.util.stream.Stream;

/**
 * The grants of one number that were not given back: one in exclusive mode, in shared mode one for
 * each thread that rides on the request.
 */
final class HeldGrants {

  /** Immutable, as most numbers have one grant at a time. */
  private List<HeldGrant> grants = List.of();

  @GuardedBy("turn.lock")
  void add(HeldGrant grant, Turn turn) {
    grants =
        grants.isEmpty()
            ? List.of(grant)
            : Stream.concat(grants.stream(), Stream.of(grant)).toList();
  }

  @GuardedBy("turn.lock")
  void remove(HeldGrant grant, Turn turn) {
    grants =
        isOnly(grant, grants)
            ? List.of()
            : grants.stream().filter(other -> other != grant).toList();
  }

  private static boolean isOnly(HeldGrant grant, List<HeldGrant> grants) {
    return grants.size() == 1 && grants.get(0) == grant;
  }

  @GuardedBy("turn.lock")
  boolean isEmpty(Turn turn) {
    return grants.isEmpty();
  }

  @GuardedBy("turn.lock")
  boolean hasOthersThan(HeldGrant grant, Turn turn) {
    return !isOnly(grant, grants) && grants.stream().anyMatch(other -> other != grant);
  }

  @GuardedBy("turn.lock")
  boolean anyBelongsTo(Thread thread, Turn turn) {
    return grants.stream().anyMatch(grant -> grant.belongsTo(thread));
  }

  /** Returns them as they are now; the list does not change when one of them ends. */
  @GuardedBy("turn.lock")
  List<HeldGrant> all(Turn turn) {
    return grants;
  }
}
