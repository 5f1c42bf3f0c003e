package io.holdfast.engine.view;

import io.holdfast.Grant;
import io.holdfast.LockName;
import io.holdfast.ReleaseOutcome;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.LossReason;
import io.holdfast.view.MultiGrant;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

/**
 * The grants of several locks.
 *
 * @param grants in the order in which they were taken
 */
public record HeldTogether(List<Grant> grants) implements MultiGrant {

  /** Takes over the grants. */
  public HeldTogether {
    grants = List.copyOf(grants);
  }

  @Override
  public Grant grant(String name) {
    return grants.stream()
        .filter(grant -> grant.name().value().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new BadRequestException(
                    "The lock \"%s\" is not one of those that were asked for: %s."
                        .formatted(name, grants.stream().map(Grant::name).toList())));
  }

  @Override
  public boolean isHeld() {
    boolean all = true;
    for (Grant grant : grants) {
      all &= grant.isHeld(); // Each of them is used.
    }
    return all;
  }

  @Override
  public void check() {
    do {
      grants.forEach(Grant::check);
    } while (!isHeld()); // While one was awaited another may have got into trouble.
  }

  @Override
  public Duration remaining() {
    return grants.stream().map(Grant::remaining).min(Duration::compareTo).orElseThrow();
  }

  @Override
  public void extend(Duration atMost) {
    grants.forEach(grant -> grant.extend(atMost));
  }

  @Override
  public void onLost(BiConsumer<LockName, LossReason> listener) {
    AtomicBoolean told = new AtomicBoolean();
    for (Grant grant : grants) {
      grant.onLost(
          reason -> {
            if (told.compareAndSet(false, true)) {
              listener.accept(grant.name(), reason);
            }
          });
    }
  }

  @Override
  public void handOver() {
    grants.forEach(Grant::handOver);
  }

  @Override
  public Map<LockName, ReleaseOutcome> release() {
    Map<LockName, ReleaseOutcome> outcomes = new LinkedHashMap<>();
    Optional<Throwable> failure = release(grants, outcomes);
    if (failure.isPresent()) {
      throw unchecked(failure.get());
    }
    return outcomes;
  }

  /** In reverse order, and each of them also if others fail. */
  private static Optional<Throwable> release(
      List<? extends Grant> grants, Map<LockName, ReleaseOutcome> outcomes) {
    Throwable first = null;
    for (int i = grants.size() - 1; i >= 0; i--) {
      Grant grant = grants.get(i);
      try {
        outcomes.put(grant.name(), grant.release());
      } catch (RuntimeException | Error e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    return Optional.ofNullable(first);
  }

  private static RuntimeException unchecked(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return (RuntimeException) thrown;
  }

  @Override
  public String toString() {
    return "MultiGrant" + grants;
  }
}
