package io.holdfast.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.benchmarks.simulation.CapacityModel.Load;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CapacityModelTest {

  private static final Workload HOLDERS =
      new Workload(10_000, Duration.ofSeconds(15), 1, 0, 0, 0, 0, 0, 0, 1);

  @Test
  void holdersCostTheirHeartbeatsAndNothingElse() {
    assertThat(CapacityModel.load(StoreCosts.REDIS, HOLDERS))
        .isEqualTo(new Load(2000, 0, 0, 0, 0, 1));
    assertThat(CapacityModel.load(StoreCosts.ETCD, HOLDERS).total()).isEqualTo(4000);
  }

  @Test
  void aLongerTtlMeansFewerHeartbeats() {
    assertThat(CapacityModel.load(StoreCosts.REDIS, HOLDERS.ttl(Duration.ofSeconds(60))).total())
        .isEqualTo(500);
  }

  @Test
  void partitionsShareWhatIsDoneButCostHeartbeatsOfTheirOwn() {
    Workload work = new Workload(1000, Duration.ofSeconds(15), 1_000_000, 400, 0, 0, 0, 0, 0, 1);

    Load one = CapacityModel.load(StoreCosts.REDIS, work);
    Load eight = CapacityModel.load(StoreCosts.REDIS, work.partitions(8));

    assertThat(one.perPartition()).isEqualTo(200 + 800);
    assertThat(eight.perPartition()).isCloseTo(200 + 100, within(0.001));
  }

  @Test
  void aProcessWithOneLockIsInOnePartitionHoweverManyThereAre() {
    assertThat(CapacityModel.load(StoreCosts.REDIS, HOLDERS.partitions(16)).total())
        .isCloseTo(2000, within(0.001));
  }

  /** What the tests of the adapters count at the servers. */
  @Test
  void pairsAndHandOversCostWhatTheirVerbsCost() {
    assertThat(StoreCosts.ALL)
        .extracting(StoreCosts::store, StoreCosts::pair, StoreCosts::handOver)
        .containsExactly(
            org.assertj.core.groups.Tuple.tuple("redis", 2, 3),
            org.assertj.core.groups.Tuple.tuple("postgresql", 2, 3),
            org.assertj.core.groups.Tuple.tuple("mariadb", 2, 6),
            org.assertj.core.groups.Tuple.tuple("sqlite", 2, 3),
            org.assertj.core.groups.Tuple.tuple("h2", 2, 3),
            org.assertj.core.groups.Tuple.tuple("etcd", 2, 4),
            org.assertj.core.groups.Tuple.tuple("zookeeper", 3, 8),
            org.assertj.core.groups.Tuple.tuple("mongodb", 2, 7));
  }

  @Test
  void waitersThatAreToldLookWithTheirHeartbeatsOnly() {
    Workload work = new Workload(100, Duration.ofSeconds(15), 1, 0, 0, 2, 10, 0, 20, 1);

    Load load = CapacityModel.load(StoreCosts.POSTGRESQL, work);

    assertThat(load.looks()).isEqualTo(20 * 0.2);
    assertThat(load.polling()).isZero();
  }

  @Test
  void sessionsThatKeepLocksLookWithTheirHeartbeatsToo() {
    Workload work = new Workload(100, Duration.ofSeconds(15), 1, 0, 0, 0, 0, 30, 30, 1);

    assertThat(CapacityModel.load(StoreCosts.REDIS, work).looks()).isEqualTo(30 * 0.2);
    assertThat(CapacityModel.load(StoreCosts.ZOOKEEPER, work).looks()).isCloseTo(12, within(1e-9));
  }

  /** 20 wait, 10 have waited; there are no hand-overs. */
  @Test
  void aWatchThatIsNotWokenCostsTheSameHoweverMuchOthersDo() {
    Workload calm = new Workload(100, Duration.ofSeconds(15), 1, 0, 0, 2, 10, 0, 30, 1);
    Workload busy = new Workload(100, Duration.ofSeconds(15), 1, 400, 0, 2, 10, 0, 30, 1);

    assertThat(CapacityModel.load(StoreCosts.MARIADB, calm).polling()).isEqualTo(20 * 2 + 10);
    assertThat(CapacityModel.load(StoreCosts.MARIADB, busy).polling()).isEqualTo(20 * 2 + 10);
  }

  /**
   * 20 heartbeats and 100 other writes a second; after each it asks at once, 1 ms and 5 ms later.
   */
  @Test
  void aWatchOfAFileIsWokenByEachWrite() {
    Workload work = new Workload(100, Duration.ofSeconds(15), 1, 50, 0, 2, 10, 0, 30, 1);

    assertThat(CapacityModel.load(StoreCosts.SQLITE, work).polling())
        .isCloseTo(120 * (20 * (3 + 1) + 10 * 3), within(1e-6));
    assertThat(CapacityModel.load(StoreCosts.H2, work).polling())
        .isCloseTo(120 * 20 * 3, within(1e-6));
  }

  @Test
  void aWatchAsksMoreAndMoreRarely() {
    WatchCosts sqlite = StoreCosts.SQLITE.watch();

    assertThat(sqlite.between(0.9, false)).isEqualTo(1);
    assertThat(sqlite.between(80, false)).isEqualTo(4);
    assertThat(sqlite.between(100, true)).isEqualTo(5 + 1);
    assertThat(sqlite.between(10_085 + 1, false)).isEqualTo(5 + 40);
    assertThat(StoreCosts.MARIADB.watch().between(1_500, true)).isEqualTo(2 * 6);
    assertThat(sqlite.perSecond(1e-9, true)).isCloseTo(sqlite.idle(true), within(1e-3));
  }

  @Test
  void waitersThatAskAreBoundedHoweverManyWaitForALock() {
    assertThat(CapacityModel.looksPerSecond(1, 0.2)).isEqualTo(20);
    assertThat(CapacityModel.looksPerSecond(2, 0.2)).isEqualTo(30);
    assertThat(CapacityModel.looksPerSecond(1_000_000, 0)).isCloseTo(107, within(1.0));
  }
}
