package io.holdfast.benchmarks.store;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.HoldfastContender;
import java.util.ArrayList;
import java.util.List;

/** The order in which a store names its contenders. */
final class Contenders {

  private Contenders() {}

  /** Returns the limit, Holdfast on the store of that URI, and the peers. */
  static List<Contender> of(Contender limit, String uri, List<Contender> peers) {
    List<Contender> contenders = new ArrayList<>();
    contenders.add(limit);
    contenders.add(new HoldfastContender(uri));
    contenders.addAll(peers);
    return contenders;
  }
}
