package io.holdfast.etcd.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.etcd.EtcdTckStore;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.testing.etcd.EtcdServer;
import io.holdfast.testing.stress.GrantJudge;
import io.holdfast.testing.stress.PlantedFault;
import io.holdfast.testing.stress.RunNumbers;
import io.holdfast.testing.stress.StressRun;
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
 * told is found out: the steps of etcd cannot be changed by a test.
 */
@Tag("server")
class EtcdStressTest {

  private static final int CLIENTS = 8;
  private static final int GRANTS_OF_FAULT_MAX = 100_000;
  private static final Duration MAX_WAIT = Duration.ofSeconds(60);

  private static EtcdServer server;

  /** What is played. */
  private enum Play {
    CROWDED("a", 0, false, 100),

    /** Two clients a name: a queue is empty one moment and not the next. */
    SPARSE("a b c d", 0, false, 200),

    SHARED("a b", 0.7, false, 200),

    /** Some of what is given back, or died with, stays taken for a while. */
    STAYING("a b c d", 0.6, true, 80);

    private final String names;

    /** How many of the requests are shared, of one. */
    private final double shared;

    private final boolean stays;
    private final int grants;

    Play(String names, double shared, boolean stays, int grants) {
      this.names = names;
      this.shared = shared;
      this.stays = stays;
      this.grants = grants;
    }

    GrantJudge on(Supplier<LockBackend> backends, long grantsMax) throws Exception {
      return new StressRun(
              CLIENTS,
              List.of(names.split(" ", -1)),
              shared,
              stays,
              grantsMax,
              MAX_WAIT,
              RunNumbers.EACH_ITS_OWN)
          .on(backends, List.of());
    }
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
  @EnumSource
  void nobodyIsLostOrStrandedAndAllWhoHoldMayHoldTogether(Play play) throws Exception {
    try (LockBackend backend = connect()) {
      GrantJudge judge = play.on(() -> backend, play.grants);

      assertThat(judge.found()).isEmpty();
      assertThat(judge.grants()).isGreaterThanOrEqualTo(play.grants);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFaultIsFoundOut(PlantedFault fault) throws Exception {
    try (LockBackend backend = connect()) {
      Optional<String> found = Play.SHARED.on(() -> fault.in(backend), GRANTS_OF_FAULT_MAX).found();

      assertThat(found).as("what comes of %s", fault).hasValueSatisfying(fault::requireShown);
    }
  }
}
