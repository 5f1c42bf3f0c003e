package io.holdfast.jdbc.mariadb.failure;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.fixtures.ServerSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.SessionId;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.testing.mariadb.MariaServer;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tables go on in another server, which has the host name and the port of the former one. */
@Tag("server")
class MariaRestoreTest {

  private static void endsSessionsAndHasTheGuard(Consumer<MariaServer> replace) {
    try (MariaServer own = MariaServer.launch()) {
      // given
      SessionId former;
      try (LockBackend before = ServerSchema.connect(own.uri())) {
        former = session(before);
        take(before, request(former, "a", IfHeld.REFUSE));
      }

      // when
      replace.accept(own);

      // then
      try (LockBackend after = ServerSchema.connect(own.uri())) {
        assertThat(after.renew(former, soon())).isEqualTo(new Renewed.Over());
        assertThat(after.grab(request(session(after), "b", IfHeld.QUEUE), soon()))
            .isInstanceOf(Attempt.Delayed.class);
      }
    }
  }

  @Test
  void aReplicaIsAnotherServerThoughItGetsTheNameOfTheFormerOne() {
    endsSessionsAndHasTheGuard(own -> own.sql("SET GLOBAL server_id = 2"));
  }

  @Test
  void aDumpInAnEmptyServerHasNoSessionOfTheOneThatItWasMadeOf() {
    endsSessionsAndHasTheGuard(
        own -> {
          String dump = own.dump();
          own.restartEmpty();
          await("a second other than that of its start")
              .atMost(Duration.ofSeconds(60))
              .until(
                  () ->
                      own.sql(
                              "SELECT variable_value > 0 FROM information_schema.global_status WHERE variable_name = 'UPTIME'")
                          .equals("1"));
          own.sql(dump);
        });
  }
}
