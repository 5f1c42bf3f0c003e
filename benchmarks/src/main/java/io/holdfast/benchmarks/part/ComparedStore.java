package io.holdfast.benchmarks.part;

import static io.holdfast.benchmarks.part.ComparisonPart.ONE;

import io.holdfast.benchmarks.comparison.Figures;
import io.holdfast.benchmarks.contender.Contender.Role;
import java.util.List;

/**
 * The figures of a store.
 *
 * @param name the store, as in tables
 * @param figures of each contender, with each number of threads
 */
record ComparedStore(String name, List<Figures> figures) {

  Figures holdfast(int threads) {
    return figures.stream()
        .filter(each -> each.role() == Role.HOLDFAST && each.threads() == threads)
        .findFirst()
        .orElseThrow();
  }

  /** Returns the names of the peers, in the order of the store. */
  List<String> peers() {
    return figures.stream()
        .filter(each -> each.role() == Role.PEER && each.threads() == ONE)
        .map(Figures::name)
        .toList();
  }

  Figures peer(String peer, int threads) {
    return figures.stream()
        .filter(each -> each.name().equals(peer) && each.threads() == threads)
        .findFirst()
        .orElseThrow();
  }
}
