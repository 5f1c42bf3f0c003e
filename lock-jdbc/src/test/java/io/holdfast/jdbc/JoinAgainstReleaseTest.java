package io.holdfast.jdbc;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.SessionId;
import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.jdbc.h2.H2TestDatabase;
import io.holdfast.jdbc.mariadb.MariaSchema;
import io.holdfast.jdbc.postgres.PostgresSchema;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.testing.mariadb.MariaServer;
import io.holdfast.testing.postgres.PostgresServer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * One joins while the other releases, again and again: whichever comes first, the lock is never
 * free with somebody in its queue who was not made its holder.
 */
@Execution(ExecutionMode.CONCURRENT)
class JoinAgainstReleaseTest {

  private static final int ROUNDS = 1_500;

  @TempDir private Path directory;

  @Test
  void noWakeUpIsLostOnSqlite() throws Exception {
    try (LockFile file = LockFile.in(directory)) {
      play(file::backend);
    }
  }

  @Test
  void noWakeUpIsLostOnH2() throws Exception {
    try (H2TestDatabase place = H2TestDatabase.patient(directory)) {
      play(place::backend);
    }
  }

  @Test
  @Tag("server")
  void noWakeUpIsLostOnPostgres() throws Exception {
    try (PostgresServer server = PostgresServer.launch();
        PostgresSchema schema = PostgresSchema.make(server)) {
      play(schema::backend);
    }
  }

  @Test
  @Tag("server")
  void noWakeUpIsLostOnMariaDb() throws Exception {
    try (MariaServer server = MariaServer.launch();
        MariaSchema schema = MariaSchema.make(server)) {
      play(schema::backend);
    }
  }

  /** Who joins in one round releases in the next. */
  private static void play(Supplier<LockBackend> connect) throws Exception {
    List<LockBackend> players = List.of(connect.get(), connect.get());
    List<SessionId> sessions = players.stream().map(LockFile::session).toList();
    ExecutorService other = Executors.newSingleThreadExecutor();
    CyclicBarrier start = new CyclicBarrier(2);
    int queued = 0;
    try {
      Request held = request(sessions.get(0), "a", IfHeld.QUEUE);
      take(players.get(0), held);
      for (int round = 1; round <= ROUNDS; round++) {
        LockBackend leaving = players.get((round + 1) % 2);
        LockBackend joining = players.get(round % 2);
        Request leaver = held;
        Request joiner = request(sessions.get(round % 2), "a", IfHeld.QUEUE);
        Future<Released> released =
            other.submit(
                () -> {
                  start.await(20, TimeUnit.SECONDS);
                  return leaving.release(leaver.name(), leaver.id(), soon());
                });
        start.await(20, TimeUnit.SECONDS);
        joining.grab(joiner, soon());
        queued += released.get(60, TimeUnit.SECONDS) == Released.HANDED_ON ? 1 : 0;

        assertThat(joining.look(joiner.id().session(), List.of(joiner.key()), soon()))
            .as("round %d", round)
            .singleElement()
            .isInstanceOf(Standing.Holding.class);
        held = joiner;
        if (round % 100 == 0) {
          players.get(0).renew(sessions.get(0), soon());
          players.get(1).renew(sessions.get(1), soon());
        }
      }
    } finally {
      other.shutdownNow();
    }
    assertThat(queued).as("rounds in which the joiner came first").isBetween(1, ROUNDS - 1);
  }
}
