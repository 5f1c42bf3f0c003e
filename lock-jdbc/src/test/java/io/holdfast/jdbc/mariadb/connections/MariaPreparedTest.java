package io.holdfast.jdbc.mariadb.connections;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.mariadb.MariaSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.SessionId;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.mariadb.OnMaria;
import io.holdfast.jdbc.pools.PoolSettings;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.spi.answer.Standing;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Statements that are prepared at the server. */
class MariaPreparedTest extends OnMaria {

  /** As often as a statement is sent as text. */
  private static final int ENOUGH = 5;

  /** Where there are more, each has its own count. */
  private static final ServerSettings ONE_CONNECTION =
      ServerSettings.standard().pools(PoolSettings.standard().connections(1));

  @AfterEach
  void makeRoom() {
    schema.execute("SET GLOBAL max_prepared_stmt_count = 16382");
  }

  @Test
  void whatIsExecutedOftenIsParsedOnceForAConnection() {
    LockBackend backend = schema.backend(ONE_CONNECTION, BackendOptions.DEFAULTS);
    SessionId mine = session(backend);
    takeAndRelease(backend, mine); // A lock that was left free is taken by another statement.
    int prepared = status("Com_stmt_prepare");
    int executed = status("Com_stmt_execute");

    for (int i = 0; i < ENOUGH; i++) {
      takeAndRelease(backend, mine);
    }
    assertThat(status("Com_stmt_prepare")).as("not worth it yet").isEqualTo(prepared);
    for (int i = 0; i < ENOUGH; i++) {
      takeAndRelease(backend, mine);
    }

    assertThat(status("Com_stmt_prepare") - prepared)
        .as("one to take, one to release")
        .isEqualTo(2);
    assertThat(status("Com_stmt_execute") - executed).isEqualTo(2 * ENOUGH);
  }

  private static void takeAndRelease(LockBackend backend, SessionId session) {
    Request request = request(session, "a", IfHeld.QUEUE);
    take(backend, request);
    assertThat(backend.release(request.name(), request.id(), soon())).isEqualTo(Released.FREED);
  }

  private int status(String counter) {
    return Integer.parseInt(
        schema.text(
            "SELECT variable_value FROM information_schema.global_status WHERE variable_name = '%s'"
                .formatted(counter)));
  }

  /**
   * Others may have used it up. Statements were prepared on the connections before, which must not
   * be executed in place of what comes next.
   */
  @Test
  void aServerWithoutRoomForAnotherIsSentTheTexts() {
    LockBackend backend = schema.backend(ONE_CONNECTION, BackendOptions.DEFAULTS);
    SessionId mine = session(backend);
    SessionId other = session(backend);
    for (int i = 0; i <= ENOUGH; i++) {
      takeAndRelease(backend, mine);
      backend.renew(mine, soon());
    }
    schema.execute("SET GLOBAL max_prepared_stmt_count = 0");
    for (int i = 0; i <= ENOUGH; i++) {
      everyVerbDoesWhatItShould(backend, session(backend), other);
    }
    assertThat(backend.renew(other, soon())).isInstanceOf(Renewed.Alive.class);

    LockBackend newcomer = schema.backend();
    takeAndRelease(newcomer, session(newcomer));
  }

  private static void everyVerbDoesWhatItShould(
      LockBackend backend, SessionId mine, SessionId other) {
    Request first = request(mine, "b", IfHeld.QUEUE);
    Request second = request(other, "b", IfHeld.QUEUE);
    take(backend, first);
    backend.grab(second, soon());
    assertThat(backend.renew(other, soon())).isInstanceOf(Renewed.Alive.class);
    assertThat(look(backend, second)).isInstanceOf(Standing.Waiting.class);
    assertThat(backend.inspect(first.name(), soon()).orElseThrow().waiters()).hasSize(1);
    assertThat(backend.release(first.name(), first.id(), soon())).isEqualTo(Released.HANDED_ON);
    assertThat(look(backend, second)).isInstanceOf(Standing.Holding.class);
    assertThat(backend.release(second.name(), second.id(), soon())).isEqualTo(Released.FREED);
    backend.end(mine, EndIf.CLOSED, soon());
    assertThat(backend.renew(mine, soon())).isInstanceOf(Renewed.Over.class);
  }

  private static Standing look(LockBackend backend, Request request) {
    return backend
        .look(request.id().session(), List.of(new RequestKey(request.name(), request.id())), soon())
        .get(0);
  }
}
