package io.holdfast.benchmarks.part;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.contender.EarlierHoldfast;
import io.holdfast.benchmarks.contender.EarlierVersion;
import io.holdfast.benchmarks.store.BenchmarkStore;
import io.holdfast.benchmarks.store.GivenStore;
import io.holdfast.benchmarks.store.StoreKind;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The plan of a run.
 *
 * @param length how long it may take
 * @param stores on which stores that it starts
 * @param named whether these stores were named: then each part measures on all of them
 * @param given on which store that runs already
 * @param before an earlier version of Holdfast to compare with
 */
public record Plan(
    Length length,
    List<StoreKind> stores,
    boolean named,
    Optional<GivenStore> given,
    Optional<EarlierVersion> before) {

  /** A file, which every machine has, a database, and the quickest server. */
  private static final Set<StoreKind> FEW =
      EnumSet.of(StoreKind.SQLITE, StoreKind.POSTGRESQL, StoreKind.REDIS);

  /** Refuses what cannot be compared, before anything is measured. */
  public Plan {
    if (before.isPresent()) {
      given.ifPresent(GivenStore::earlierUri);
    }
  }

  /** Returns the stores of a part for which a quick run has no time on all of them. */
  List<StoreKind> fewIfQuick() {
    return named || length != Length.QUICK
        ? stores
        : stores.stream().filter(FEW::contains).toList();
  }

  /** Returns the contenders on a store: the earlier version is the first of the peers. */
  List<Contender> contenders(BenchmarkStore store) {
    List<Contender> contenders = new ArrayList<>(store.contenders());
    before.ifPresent(
        version -> contenders.add(2, new EarlierHoldfast(version, store.earlierUri())));
    return contenders;
  }

  /** How long a run may take. */
  public enum Length {
    /** Two to three minutes. */
    QUICK,
    /** Ten to fifteen minutes. */
    USUAL,
    /** An hour or more. */
    FULL
  }
}
