package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.mongo.imitation.ImitationTestBase;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.stress.GrantJudge;
import io.holdfast.testing.stress.StressRun;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many clients join, release, share, give up and die at the same time. */
@Tag("long")
class MongoStressTest extends ImitationTestBase {

  private static final int CLIENTS = 8;
  private static final int GRANTS = 150;
  private static final Duration MAX_WAIT = Duration.ofSeconds(60);

  @ParameterizedTest
  @CsvSource({
    "crowded, a, 0, false",
    "sparse, a b c d, 0, false",
    "shared, a b, 0.7, false",
    "staying, a b c d, 0.6, true"
  })
  void everyGrantIsOneThatTheJudgeAllows(String play, String names, double shared, boolean stays)
      throws Exception {
    String database = "stress_" + play;
    server.remember(database);
    try (LockBackend backend =
        MongoLockProvider.connect(
            proxy.uri(database),
            MongoSettings.standard(),
            BackendOptions.DEFAULTS,
            StoreFixture.soon())) {
      GrantJudge judge =
          new StressRun(CLIENTS, List.of(names.split(" ", -1)), shared, stays, GRANTS, MAX_WAIT)
              .on(backend);

      assertThat(judge.found()).isEmpty();
      assertThat(judge.grants()).isGreaterThanOrEqualTo(GRANTS);
    } finally {
      server.drop(database);
      proxy.requireNoFaults();
    }
  }
}
