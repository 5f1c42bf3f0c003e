package io.holdfast.mongo;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.mongo.imitation.ImitationTestBase;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.stress.GrantJudge;
import io.holdfast.tck.stress.Staying;
import io.holdfast.tck.stress.StressRun;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the kit's stress leaves open: numbers of those who share, and what a session leaves. */
@Tag("long")
class MongoStressTest extends ImitationTestBase {

  private static final int CLIENTS = 8;
  private static final int GRANTS = 150;
  private static final Duration MAX_WAIT = Duration.ofSeconds(60);

  @ParameterizedTest
  @EnumSource(names = {"NOTHING", "LEAST_TIMES_AND_DELAYS"})
  void allWhoShareHaveOneNumber(Staying staying) throws Exception {
    String database = "stress_" + staying;
    server.remember(database);
    try (LockBackend backend =
        MongoLockProvider.connect(
            proxy.uri(database),
            MongoSettings.standard(),
            BackendOptions.DEFAULTS,
            StoreFixture.soon())) {
      GrantJudge judge =
          new StressRun(CLIENTS, List.of("a", "b"), 0.7, staying, GRANTS, MAX_WAIT).on(backend);

      assertThat(judge.found()).isEmpty();
      assertThat(judge.grants()).isGreaterThanOrEqualTo(GRANTS);
    } finally {
      server.drop(database);
      proxy.requireNoFaults();
    }
  }
}
