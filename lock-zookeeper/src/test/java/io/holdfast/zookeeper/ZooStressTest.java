package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.faults.InterceptedBackend;
import io.holdfast.testing.stress.GrantJudge;
import io.holdfast.testing.stress.PlantedFault;
import io.holdfast.testing.stress.RunNumbers;
import io.holdfast.testing.stress.StressRun;
import io.holdfast.testing.zookeeper.ZooServer;
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
 * Many clients join, release, share, give up and die at the same time. And a fault in what they are
 * told is found out: the steps of ZooKeeper cannot be changed by a test. Nothing stays taken here:
 * clients die by closing their sessions, and in ZooKeeper that releases what has a lock-delay.
 */
@Tag("server")
class ZooStressTest {

  private static final int CLIENTS = 8;
  private static final int GRANTS_OF_FAULT_MAX = 100_000;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static ZooServer server;

  /** What is played. */
  private enum Play {
    CROWDED("a", 0, 100),

    /** Two clients a name: a queue is empty one moment and not the next. */
    SPARSE("a b c d", 0, 200),

    SHARED("a b", 0.7, 200);

    private final String names;

    /** How many of the requests are shared, of one. */
    private final double shared;

    private final int grants;

    Play(String names, double shared, int grants) {
      this.names = names;
      this.shared = shared;
      this.grants = grants;
    }

    GrantJudge on(Supplier<LockBackend> backends, long grantsMax) throws Exception {
      return new StressRun(
              CLIENTS,
              List.of(names.split(" ", -1)),
              shared,
              false,
              grantsMax,
              PATIENCE,
              RunNumbers.EACH_ITS_OWN)
          .on(backends, List.of());
    }
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

  @ParameterizedTest
  @EnumSource
  void nobodyIsLostOrStrandedAndAllWhoHoldMayHoldTogether(Play play) throws Exception {
    try (LockBackend backend = connect()) {
      GrantJudge judge = play.on(() -> unseen(backend), play.grants);

      assertThat(judge.found()).isEmpty();
      assertThat(judge.grants()).isGreaterThanOrEqualTo(play.grants);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFaultIsFoundOut(PlantedFault fault) throws Exception {
    try (LockBackend backend = connect()) {
      Optional<String> found =
          Play.SHARED.on(() -> unseen(fault.in(backend)), GRANTS_OF_FAULT_MAX).found();

      assertThat(found).as("what comes of %s", fault).hasValueSatisfying(fault::requireShown);
    }
  }
}
