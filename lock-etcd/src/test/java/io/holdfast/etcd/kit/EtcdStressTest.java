package io.holdfast.etcd.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.etcd.EtcdTckStore;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.stress.GrantJudge;
import io.holdfast.tck.stress.PlantedFault;
import io.holdfast.tck.stress.RunNumbers;
import io.holdfast.tck.stress.Staying;
import io.holdfast.tck.stress.StressRun;
import io.holdfast.testing.etcd.EtcdServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the kit's stress leaves open: which numbers those have who share, and what a session leaves
 * that ends. And a fault in what clients are told is found out: the steps of etcd cannot be changed
 * by a test.
 */
@Tag("server")
class EtcdStressTest {

  private static final int CLIENTS = 8;
  private static final int GRANTS = 100;
  private static final int GRANTS_OF_FAULT_MAX = 100_000;
  private static final Duration MAX_WAIT = Duration.ofSeconds(60);

  private static EtcdServer server;

  /** Plays with both modes; some of what is given back, or died with, stays taken for a while. */
  private static GrantJudge play(Supplier<LockBackend> backends, Staying staying, long grants)
      throws Exception {
    return new StressRun(
            CLIENTS, List.of("a", "b"), 0.7, staying, grants, MAX_WAIT, RunNumbers.EACH_ITS_OWN)
        .on(backends, List.of());
  }

  @BeforeAll
  static void startServer() {
    server = EtcdServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private static LockBackend connect() {
    return new EtcdTckStore(server.address(), server::restart).connect(BackendOptions.DEFAULTS);
  }

  @ParameterizedTest
  @EnumSource(names = {"NOTHING", "LEAST_TIMES_AND_DELAYS"})
  void eachOfThoseWhoShareHasANumberOfItsOwn(Staying staying) throws Exception {
    try (LockBackend backend = connect()) {
      GrantJudge judge = play(() -> backend, staying, GRANTS);

      assertThat(judge.found()).isEmpty();
      assertThat(judge.grants()).isGreaterThanOrEqualTo(GRANTS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFaultIsFoundOut(PlantedFault fault) throws Exception {
    try (LockBackend backend = connect()) {
      Optional<String> found =
          play(() -> fault.in(backend), Staying.NOTHING, GRANTS_OF_FAULT_MAX).found();

      assertThat(found).as("what comes of %s", fault).hasValueSatisfying(fault::requireShown);
    }
  }
}
