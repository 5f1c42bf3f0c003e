package io.holdfast.jdbc.postgres.failure;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.postgres.PostgresSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.postgres.PostgresSchema;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.tck.network.Direction;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.network.PostgresFraming;
import io.holdfast.testing.postgres.PostgresServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Connections that lead nowhere any more, without anybody being told. */
@Tag("server")
class PostgresSilenceTest {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);

  private static PostgresServer server;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Test
  void onlyOneCallWaitsForConnectionsThatFellSilentTogether() {
    try (NetworkProxy network = NetworkProxy.to(server.port(), PostgresFraming::new);
        PostgresSchema schema = PostgresSchema.make(server)) {
      // given
      LockBackend backend =
          schema.backend(
              schema.uri().replace(":" + server.port() + "/", ":" + network.port() + "/"),
              ServerSettings.standard(),
              BackendOptions.DEFAULTS);
      SessionId mine = session(backend);
      useSeveralAtATime(backend, network);

      // when
      network.swallow(Direction.TO_CLIENT);
      await().atMost(WAIT_MAX).until(() -> failsUnanswered(backend));

      // then
      take(backend, request(mine, "a", IfHeld.REFUSE));
      network.cut();
    }
  }

  private static void useSeveralAtATime(LockBackend backend, NetworkProxy network) {
    network.delay(Duration.ofMillis(50));
    await()
        .atMost(WAIT_MAX)
        .until(
            () -> {
              Stream.generate(() -> CompletableFuture.runAsync(() -> look(backend, soon())))
                  .limit(4)
                  .toList()
                  .forEach(CompletableFuture::join);
              return network.connections() > 1;
            });
    network.heal();
  }

  /** Else the call came to no connection: the machine stood still before it had one. */
  private static boolean failsUnanswered(LockBackend backend) {
    BackendFailure failure =
        catchThrowableOfType(
            BackendFailure.class, () -> look(backend, Deadline.in(Duration.ofMillis(500))));
    assertThat(failure).isNotNull();
    return failure.effect() == Effect.UNKNOWN;
  }

  private static void look(LockBackend backend, Deadline deadline) {
    assertThat(backend.inspect(new LockName("a"), deadline)).isEmpty();
  }
}
