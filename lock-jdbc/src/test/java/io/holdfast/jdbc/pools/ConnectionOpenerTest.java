package io.holdfast.jdbc.pools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.jdbc.connections.BackendThreads;
import io.holdfast.jdbc.connections.Database;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How a pool gets its connections. */
class ConnectionOpenerTest {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);

  private final BackendThreads threads = new BackendThreads();
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicBoolean closed = new AtomicBoolean();

  @AfterEach
  void stop() {
    threads.close();
  }

  private ConnectionOpener opener(Database database, DatabaseConnection... made) {
    return new ConnectionOpener(database, threads, 3, List.of(made));
  }

  @Test
  void aLoginThatIsNotAnsweredHoldsUpNobody() {
    CompletableFuture<DatabaseConnection> unanswered = new CompletableFuture<>();
    DatabaseConnection second = FakeDatabase.connection(true, closed);
    Database database =
        FakeDatabase.connectedBy(() -> begun.incrementAndGet() == 1 ? unanswered.join() : second);

    try (ConnectionOpener opener = opener(database)) {
      assertThat(next(opener, true)).succeedsWithin(WAIT_MAX).isSameAs(second);

      // What comes when nobody waits for it is let go of.
      AtomicBoolean closedLate = new AtomicBoolean();
      unanswered.complete(FakeDatabase.connection(true, closedLate));
      await().atMost(WAIT_MAX).untilTrue(closedLate);
    }
  }

  @Test
  void aLoginThatFailedIsRepeatedWhileItIsNeeded() {
    DatabaseConnection last = FakeDatabase.connection(true, closed);
    AtomicInteger refusals = new AtomicInteger(Integer.MAX_VALUE);
    Database database =
        FakeDatabase.connectedBy(
            () -> {
              if (refusals.getAndDecrement() > 0) {
                throw nobodyThere();
              }
              return last;
            });

    try (ConnectionOpener opener = opener(database)) {
      assertThat(next(opener, false)).failsWithin(WAIT_MAX);
      assertThat(opener.failure()).get().asString().contains("nobody there");

      refusals.set(1);
      assertThat(next(opener, true)).succeedsWithin(WAIT_MAX).isSameAs(last);
      assertThat(opener.failure()).isEmpty();
    }
  }

  /** Else a call would be told of a failure long ago while a login that succeeds is under way. */
  @Test
  void whatFailedBeforeIsNotToldWhenAConnectionIsNeededAgain() {
    CompletableFuture<DatabaseConnection> late = new CompletableFuture<>();
    CompletableFuture<DatabaseConnection> last = new CompletableFuture<>();
    DatabaseConnection second = FakeDatabase.connection(true, closed);
    AtomicBoolean somebodyThere = new AtomicBoolean();
    AtomicInteger unanswered = new AtomicInteger();
    Database database =
        FakeDatabase.connectedBy(
            () ->
                switch (begun.incrementAndGet()) {
                  case 1 -> late.join();
                  case 2 -> second;
                  default -> {
                    if (!somebodyThere.get()) {
                      throw nobodyThere();
                    }
                    unanswered.incrementAndGet();
                    yield last.join();
                  }
                });

    try (ConnectionOpener opener = opener(database)) {
      assertThat(next(opener, true)).succeedsWithin(WAIT_MAX).isSameAs(second);
      assertThat(next(opener, false)).failsWithin(WAIT_MAX);
      assertThat(opener.failure()).isPresent();
      somebodyThere.set(true);
      CompletableFuture<DatabaseConnection> waits = next(opener, true);
      await("as many openings as may be under way")
          .atMost(WAIT_MAX)
          .until(() -> unanswered.get() == 2);
      assertThat(opener.failure()).isEmpty();

      late.completeExceptionally(nobodyThere());
      await().atMost(WAIT_MAX).until(() -> unanswered.get() > 2);
      assertThat(opener.failure()).isEmpty();

      last.complete(FakeDatabase.connection(true, closed));
      assertThat(waits).succeedsWithin(WAIT_MAX);
    }
  }

  private static BackendFailure nobodyThere() {
    return new BackendFailure(Effect.NONE, "nobody there", null);
  }

  private static CompletableFuture<DatabaseConnection> next(
      ConnectionOpener opener, boolean needed) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return opener.next(() -> needed);
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  void whoWaitsForALoginIsToldThatItIsClosed() {
    CompletableFuture<DatabaseConnection> unanswered = new CompletableFuture<>();
    ConnectionOpener opener =
        opener(
            FakeDatabase.connectedBy(
                () -> {
                  begun.incrementAndGet();
                  return unanswered.join();
                }));
    CompletableFuture<DatabaseConnection> waits = next(opener, true);
    await().atMost(WAIT_MAX).until(() -> begun.get() > 0);

    opener.close();

    assertThat(waits).failsWithin(WAIT_MAX);
    unanswered.complete(FakeDatabase.connection(true, closed));
    await().atMost(WAIT_MAX).untilTrue(closed);
  }

  /** More often than there may be logins at once: a place that is lost would be missed. */
  @Test
  void aLoginForWhichThereIsNoThreadTakesNoPlace() throws SQLException {
    DatabaseConnection made = FakeDatabase.connection(true, closed);
    AtomicInteger refused = new AtomicInteger();
    ThreadFactory exhausted =
        task ->
            new Thread(task) {
              @Override
              public synchronized void start() {
                if (refused.incrementAndGet() <= 5) {
                  throw new OutOfMemoryError("unable to create native thread (test)");
                }
                super.start();
              }
            };
    try (BackendThreads few = new BackendThreads(name -> exhausted);
        ConnectionOpener opener =
            new ConnectionOpener(FakeDatabase.connectedBy(() -> made), few, 3, List.of())) {
      for (int i = 0; i < 5; i++) {
        assertThatThrownBy(() -> opener.next(() -> true)).isInstanceOf(OutOfMemoryError.class);
      }
      assertThat(opener.next(() -> true)).isSameAs(made);
    }
  }
}
