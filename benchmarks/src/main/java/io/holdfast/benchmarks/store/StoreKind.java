package io.holdfast.benchmarks.store;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The stores that can be measured. */
public enum StoreKind {
  SQLITE,
  POSTGRESQL,
  MARIADB,
  H2,
  REDIS,
  ETCD,
  ZOOKEEPER,
  MONGODB,
  MEMORY;

  /** Starts a store of this kind without data. */
  public BenchmarkStore start() {
    return switch (this) {
      case SQLITE -> SqliteStore.start();
      case POSTGRESQL -> PostgresStore.start();
      case MARIADB -> MariaStore.start();
      case H2 -> H2Store.start();
      case REDIS -> RedisStore.start();
      case ETCD -> EtcdStore.start();
      case ZOOKEEPER -> ZookeeperStore.start();
      case MONGODB -> MongoStore.start();
      case MEMORY -> MemoryBenchmarkStore.start();
    };
  }

  /** Returns its name on the command line and in the reports. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the kind of that name; refuses a name that none has. */
  public static StoreKind of(String label) {
    return Arrays.stream(values())
        .filter(kind -> kind.label().equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "There is no store \"%s\". Known are %s."
                        .formatted(label, String.join(", ", labels()))));
  }

  /** Returns the names of all kinds. */
  public static List<String> labels() {
    return Arrays.stream(values()).map(StoreKind::label).toList();
  }
}
