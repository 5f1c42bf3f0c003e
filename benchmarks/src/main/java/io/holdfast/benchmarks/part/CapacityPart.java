package io.holdfast.benchmarks.part;

import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.report.Table;
import io.holdfast.benchmarks.simulation.CapacityModel.Load;
import io.holdfast.benchmarks.simulation.Examples;
import io.holdfast.benchmarks.simulation.Examples.Example;
import io.holdfast.benchmarks.store.GivenStore;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Prints what the model of capacity says; measures nothing. */
public final class CapacityPart implements Part {

  private static final String INTRO =
      """
      Operations a second, calculated: scripts of Redis, statements of SQL databases, requests of etcd \
      and ZooKeeper, commands of MongoDB. Each process takes a free lock every two seconds; 0.02 grants a second have to be \
      waited for. It has used five locks within its last twelve heartbeats. At one moment one process \
      in twenty waits, five for each lock; all listen, since each has waited before, and none keeps \
      a cached lock.""";

  private static final List<String> HEADER =
      List.of(
          "processes",
          "",
          "store",
          "heartbeats",
          "free locks",
          "hand-overs",
          "looks with heartbeats",
          "polling at most, or watching",
          "sum",
          "for each partition");

  @Override
  public String name() {
    return "capacity";
  }

  /** The model says nothing about it. */
  @Override
  public boolean measures(GivenStore given) {
    return false;
  }

  @Override
  public void run(Plan plan, Consumer<Section> found) {
    List<Example> examples = Examples.all();
    found.accept(
        new Section(
            "Capacity",
            INTRO,
            examples,
            List.of(new Table(HEADER, examples.stream().map(CapacityPart::row).toList())),
            List.of()));
  }

  private static List<String> row(Example example) {
    Load load = example.load();
    return List.of(
        String.format(Locale.ROOT, "%,d", example.work().processes()),
        example.setting(),
        example.costs().store(),
        number(load.heartbeats()),
        number(load.pairs()),
        number(load.handOvers()),
        number(load.looks()),
        number(load.polling()),
        number(load.total()),
        number(load.perPartition()));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%,.0f", value);
  }
}
