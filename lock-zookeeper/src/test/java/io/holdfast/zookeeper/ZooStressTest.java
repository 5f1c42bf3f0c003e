package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.tck.stress.GrantJudge;
import io.holdfast.tck.stress.PlantedFault;
import io.holdfast.tck.stress.RunNumbers;
import io.holdfast.tck.stress.Staying;
import io.holdfast.tck.stress.StressRun;
import io.holdfast.testing.zookeeper.ZooServer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What the kit's stress leaves open: which numbers those have who share. And a fault in what
 * clients are told is found out: the steps of ZooKeeper cannot be changed by a test.
 */
@Tag("server")
class ZooStressTest {

  private static final int CLIENTS = 8;
  private static final int GRANTS = 100;
  private static final int GRANTS_OF_FAULT_MAX = 100_000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static ZooServer server;

  private static GrantJudge play(Supplier<LockBackend> backends, long grants) throws Exception {
    return new StressRun(
            CLIENTS,
            List.of("a", "b"),
            0.7,
            Staying.NOTHING,
            grants,
            PATIENCE,
            RunNumbers.EACH_ITS_OWN)
        .on(backends, List.of());
  }

  @BeforeAll
  static void startServer() {
    server = ZooServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private static LockBackend connect() {
    return new ZooTckStore(server.address(), server::restart).connect(BackendOptions.DEFAULTS);
  }

  /** A record is read in several steps, and not one of a moment: the judge is shown none. */
  private static LockBackend unseen(LockBackend backend) {
    return new InterceptedBackend(backend) {
      @Override
      public Optional<LockRecord> inspect(LockName name, Deadline deadline) {
        return Optional.empty();
      }
    };
  }

  @Test
  void eachOfThoseWhoShareHasANumberOfItsOwn() throws Exception {
    try (LockBackend backend = connect()) {
      GrantJudge judge = play(() -> unseen(backend), GRANTS);

      assertThat(judge.found()).isEmpty();
      assertThat(judge.grants()).isGreaterThanOrEqualTo(GRANTS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFaultIsFoundOut(PlantedFault fault) throws Exception {
    try (LockBackend backend = connect()) {
      Optional<String> found = play(() -> unseen(fault.in(backend)), GRANTS_OF_FAULT_MAX).found();

      assertThat(found).as("what comes of %s", fault).hasValueSatisfying(fault::requireShown);
    }
  }
}
