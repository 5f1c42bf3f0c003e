package io.holdfast.benchmarks.simulation;

import io.holdfast.benchmarks.simulation.CapacityModel.Load;
import io.holdfast.benchmarks.simulation.WatchCosts.News;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The model's figures for 100, 1,000 and 100,000 processes of one kind of application. */
public final class Examples {

  private static final Duration DEFAULT_TTL = Duration.ofSeconds(15);
  private static final Duration GREATEST_TTL = Duration.ofSeconds(60);
  private static final int PARTITIONS = 16;
  private static final List<StoreCosts> OF_MANY =
      List.of(StoreCosts.REDIS, StoreCosts.POSTGRESQL, StoreCosts.ETCD);

  /** A thousand processes are too many for the watches of one file on one machine. */
  private static final List<StoreCosts> OF_SEVERAL_MACHINES =
      StoreCosts.ALL.stream().filter(costs -> costs.watch().news() != News.WRITES).toList();

  private Examples() {}

  /**
   * One of them.
   *
   * @param setting the difference from the one before
   * @param costs of the store
   * @param work the work of the application
   * @param load the store's work for it
   */
  public record Example(String setting, StoreCosts costs, Workload work, Load load) {}

  /**
   * Each process takes a free lock every two seconds; one in 25 of its grants, another, has to be
   * waited for. It has used five locks of late. At one moment one process in twenty waits, five for
   * each lock. It waits so often that its session, once it listens, goes on to. It caches no lock.
   */
  static Workload application(long processes) {
    return new Workload(
        processes,
        DEFAULT_TTL,
        5,
        processes * 0.5,
        processes * 0.02,
        processes / 100,
        5,
        0,
        processes,
        1);
  }

  /** Returns all of them, the smallest first. */
  public static List<Example> all() {
    List<Example> examples = new ArrayList<>();
    add(examples, "TTL 15 s", StoreCosts.ALL, application(100));
    add(examples, "TTL 15 s", OF_SEVERAL_MACHINES, application(1_000));
    Workload many = application(100_000);
    add(examples, "TTL 15 s", OF_MANY, many);
    add(examples, "TTL 60 s", OF_MANY, many.ttl(GREATEST_TTL));
    add(
        examples,
        "TTL 60 s, %d partitions".formatted(PARTITIONS),
        OF_MANY,
        many.ttl(GREATEST_TTL).partitions(PARTITIONS));
    return examples;
  }

  private static void add(
      List<Example> examples, String setting, List<StoreCosts> stores, Workload work) {
    for (StoreCosts costs : stores) {
      examples.add(new Example(setting, costs, work, CapacityModel.load(costs, work)));
    }
  }
}
