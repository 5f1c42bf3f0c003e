package io.holdfast.benchmarks.part;

import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.store.GivenStore;
import io.holdfast.benchmarks.store.StoreKind;
import java.util.function.Consumer;

/** A part of a run. */
public interface Part {

  /** Returns its name on the command line. */
  String name();

  /** Returns whether a run of that length has it, if no parts are named. */
  default boolean belongsTo(Plan.Length length) {
    return true;
  }

  /** Returns whether it has anything to say about stores of that kind. */
  default boolean measures(StoreKind kind) {
    return true;
  }

  /** Returns whether it has anything to say about a store that runs already. */
  default boolean measures(GivenStore given) {
    return true;
  }

  /** Returns whether an earlier version takes part in it. */
  default boolean comparesVersions() {
    return false;
  }

  /**
   * Measures.
   *
   * @param plan on which stores, and for how long
   * @param found told of each section as soon as it is complete
   */
  void run(Plan plan, Consumer<Section> found) throws Exception;
}
