package io.holdfast.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a pool gets its connections. */
class LoginsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final OwnThreads threads = new OwnThreads();
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicBoolean closed = new AtomicBoolean();

  @AfterEach
  void stop() {
    threads.close();
  }

  private Logins logins(Database database, Link... made) {
    return new Logins(database, threads, 3, List.of(made));
  }

  @Test
  void aLoginThatIsNotAnsweredHoldsUpNobody() throws SQLException {
    CompletableFuture<Link> unanswered = new CompletableFuture<>();
    Link second = FakeDatabase.link(true, closed);
    Database database =
        FakeDatabase.connectedBy(() -> begun.incrementAndGet() == 1 ? unanswered.join() : second);

    try (Logins logins = logins(database)) {
      assertThat(logins.next(() -> true)).isSameAs(second);

      // What comes when nobody waits for it is let go of.
      assertThat(closed).isFalse();
      unanswered.complete(FakeDatabase.link(true, closed));
      await().atMost(PATIENCE).untilTrue(closed);
    }
  }

  @Test
  void aLoginThatFailedIsRepeatedWhileItIsNeeded() throws SQLException {
    Link third = FakeDatabase.link(true, closed);
    Database database =
        FakeDatabase.connectedBy(
            () -> {
              if (begun.incrementAndGet() < 3) {
                throw new BackendFailure(Effect.NONE, "nobody there", null);
              }
              return third;
            });

    try (Logins logins = logins(database)) {
      assertThatThrownBy(() -> logins.next(() -> false)).isInstanceOf(SQLException.class);
      assertThat(logins.failure()).get().asString().contains("nobody there");
      assertThat(logins.next(() -> true)).isSameAs(third);
      assertThat(logins.failure()).isEmpty();
    }
  }

  @Test
  void whoWaitsForALoginIsToldThatItIsClosed() {
    CompletableFuture<Link> unanswered = new CompletableFuture<>();
    Logins logins =
        logins(
            FakeDatabase.connectedBy(
                () -> {
                  begun.incrementAndGet();
                  return unanswered.join();
                }));
    CompletableFuture<Link> waits =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return logins.next(() -> true);
              } catch (SQLException e) {
                throw new IllegalStateException(e);
              }
            });
    await().atMost(PATIENCE).until(() -> begun.get() > 0);

    logins.close();

    assertThat(waits).failsWithin(PATIENCE);
    unanswered.complete(FakeDatabase.link(true, closed));
    await().atMost(PATIENCE).untilTrue(closed);
  }
}
