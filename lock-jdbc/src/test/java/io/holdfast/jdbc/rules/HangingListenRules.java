package io.holdfast.jdbc.rules;

import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.SessionId;
import io.holdfast.jdbc.HangingPool;
import io.holdfast.jdbc.JdbcLocks;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * While a request waits, a client asks for the connection over which it is told again with each
 * heartbeat, however long the application's pool gives none.
 */
public interface HangingListenRules {

  Duration WAIT_MAX = Duration.ofSeconds(60);
  Duration SHORT = Duration.ofMillis(200);
  int HEARTBEATS = 10;

  ServerSchema schema();

  /** The name of the thread that is told. */
  String thread();

  @Test
  default void oneThreadWaitsForTheConnectionToListenHoweverOftenItIsAskedFor() throws Exception {
    HangingPool pool = new HangingPool(schema().uri());
    try (LockBackend backend = JdbcLocks.on(pool).connect(BackendOptions.DEFAULTS, soon())) {
      // given
      SessionId mine = session(backend);
      pool.hang();

      // when
      for (int i = 0; i < HEARTBEATS; i++) {
        assertThatThrownBy(() -> backend.listen(mine, name -> {}, Deadline.in(SHORT)))
            .isInstanceOf(BackendFailure.class);
      }

      // then
      assertThat(pool.waiting()).as("threads that wait for a connection").isEqualTo(1);
      await().atMost(WAIT_MAX).until(() -> !isThere());

      // when
      pool.giveAgain();

      // then
      backend.listen(mine, name -> {}, soon()).close();
      await().atMost(WAIT_MAX).until(() -> pool.waiting() == 0);
    } finally {
      pool.giveAgain();
    }
  }

  private boolean isThere() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(each -> each.getName().equals(thread()));
  }
}
