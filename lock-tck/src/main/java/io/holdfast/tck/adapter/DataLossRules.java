package io.holdfast.tck.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockName;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Proves;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import io.holdfast.tck.server.StoreServer;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * A store that is made again, and records that are deleted by hand, where numbers are a count of
 * the store's above a base in the namespace, and nothing keeps earlier leases from being passed
 * over.
 */
@Topic(value = "DAT", level = Level.LOSS, clause = "docs/guarantees.md, Rising tokens")
public interface DataLossRules {

  /** The lock that is used. */
  LockName LOCK = new LockName("a");

  /** Returns a server that no other test uses. */
  StoreServer server();

  /** Returns a connection, which was made before anything was lost. */
  LockBackend backend();

  /** Returns a new connection. */
  LockBackend connect();

  /** Deletes all records of ours, and nothing else. */
  void deleteEverything() throws Exception;

  /** Deletes the namespace's record alone. */
  void deleteNamespace() throws Exception;

  /** Its count begins at 1 again, and the sessions of before are not those of now. */
  @Test
  @Rule("HF-DAT-01")
  @Proves(Claim.TOKENS_SURVIVE_TOTAL_LOSS)
  default void aStoreMadeAnewGivesGreaterTokensAndKnowsNobody() {
    SpiClient before = SpiClient.open(backend(), StoreFixture.LONG);
    for (int i = 0; i < 100; i++) {
      before.release(before.hold(LOCK));
    }
    Held held = before.hold(LOCK);

    server().restartEmpty();

    try (LockBackend after = connect()) {
      assertThat(before.on(after).renew()).isEqualTo(new Renewed.Over());
      assertThat(before.on(after).grab(before.waitingRequest(LOCK)))
          .isEqualTo(new Attempt.SessionOver());
      assertThat(SpiClient.open(after, StoreFixture.LONG).hold(LOCK).number())
          .isGreaterThan(held.number());
    }
  }

  @Test
  @Rule("HF-DAT-02")
  default void aClientThatWasConnectedGoesOnInAStoreMadeAnew() {
    SpiClient before = SpiClient.open(backend(), StoreFixture.LONG);
    Held held = before.hold(LOCK);

    server().restartEmpty();

    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(() -> before.renew() instanceof Renewed.Over);
    assertGreaterAfter(held);
  }

  @Test
  @Rule("HF-DAT-03")
  default void deletedRecordsEndEverySessionAndLowerNoToken() throws Exception {
    SpiClient before = SpiClient.open(backend(), StoreFixture.LONG);
    Held held = before.hold(LOCK);

    deleteEverything();

    assertThat(before.renew()).isEqualTo(new Renewed.Over());
    assertGreaterAfter(held);
  }

  /** Only the base is gone: what goes on without it must not mix up two. */
  @Test
  @Rule("HF-DAT-04")
  default void aDeletedNamespaceIsMadeAnewWithAGreaterBase() throws Exception {
    SpiClient before = SpiClient.open(backend(), StoreFixture.LONG);
    Held held = before.hold(LOCK);
    before.release(held);

    deleteNamespace();

    assertThat(before.grab(before.waitingRequest(LOCK))).isEqualTo(new Attempt.SessionOver());
    assertGreaterAfter(held);
  }

  private void assertGreaterAfter(Held held) {
    SpiClient after = SpiClient.open(backend(), StoreFixture.LONG);
    assertThat(after.hold(LOCK).number()).isGreaterThan(held.number());
  }
}
