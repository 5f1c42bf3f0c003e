package io.holdfast.benchmarks.part;

import io.holdfast.benchmarks.store.GivenStore;
import io.holdfast.benchmarks.store.StoreKind;
import java.util.List;
import java.util.Optional;

/**
 * What is asked of a run.
 *
 * @param length how long it may take
 * @param stores on which stores that it starts
 * @param given on which store that runs already
 */
public record Plan(Length length, List<StoreKind> stores, Optional<GivenStore> given) {

  /** How long a run may take. */
  public enum Length {
    /** About two minutes. */
    QUICK,
    /** About ten minutes. */
    USUAL,
    /** An hour or more. */
    FULL
  }
}
