package io.holdfast.benchmarks.store;

import io.holdfast.benchmarks.contender.Contender;
import java.util.List;

/** A store that runs, and the contenders on it. */
public interface BenchmarkStore extends AutoCloseable {

  /** Returns its URI for Holdfast. */
  String uri();

  /**
   * Returns its URI for an earlier version of Holdfast: a namespace that the present one does not
   * use, for they refuse each other's records.
   */
  String earlierUri();

  /** Returns its product and version, and how it is set up, in one line. */
  String description();

  /** Returns whether it is the product that its name says; else a table says so beside the name. */
  default boolean isReal() {
    return true;
  }

  /** Returns the contenders on it: the limit first, then Holdfast, then the peers. */
  List<Contender> contenders();

  /** Returns the base of the ratios, the first contender, as the end of a sentence. */
  default String reference() {
    return "the limit, two bare calls of the same driver that store and delete one owner";
  }

  /** Ends what was started for it and deletes its files. */
  @Override
  void close();
}
