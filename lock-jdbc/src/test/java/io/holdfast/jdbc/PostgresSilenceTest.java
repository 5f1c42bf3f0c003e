package io.holdfast.jdbc;

import static io.holdfast.jdbc.LockFile.request;
import static io.holdfast.jdbc.LockFile.session;
import static io.holdfast.jdbc.LockFile.take;
import static io.holdfast.jdbc.PostgresSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.network.PostgresFraming;
import io.holdfast.tck.network.Way;
import io.holdfast.tck.server.PostgresServer;
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
      network.swallow(Way.TO_CLIENT);
      assertThatThrownBy(() -> look(backend, Deadline.in(Duration.ofMillis(500))))
          .isInstanceOf(BackendFailure.class);

      // then
      take(backend, request(mine, "a", IfHeld.REFUSE));
      network.cut();
    }
  }

  private static void useSeveralAtATime(LockBackend backend, NetworkProxy network) {
    network.delay(Duration.ofMillis(50));
    Stream.generate(() -> CompletableFuture.runAsync(() -> look(backend, soon())))
        .limit(4)
        .toList()
        .forEach(CompletableFuture::join);
    assertThat(network.connections()).isGreaterThan(1);
    network.heal();
  }

  private static void look(LockBackend backend, Deadline deadline) {
    assertThat(backend.inspect(new LockName("a"), deadline)).isEmpty();
  }
}
