package io.holdfast.jdbc.h2;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.SessionId;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Released;
import io.holdfast.tck.network.Delivery;
import io.holdfast.tck.network.Direction;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.NetworkProxy;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The driver may connect again by itself, and send once more what was not answered. The first copy
 * may have been done, or may be done later.
 */
class H2ReconnectTest {

  /** The answer that is lost may be one to a connection that the pool is just making. */
  private static final int ATTEMPTS_MAX = 50;

  @TempDir private Path directory;
  private Server server;
  private NetworkProxy proxy;
  private H2TestDatabase place;

  @BeforeEach
  void start() throws Exception {
    server =
        Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-baseDir", directory.toString())
            .start();
    proxy = NetworkProxy.to(server.getPort(), Framing::none);
    place =
        new H2TestDatabase(
            "jdbc:h2:tcp://127.0.0.1:%d/./locks;AUTO_RECONNECT=TRUE".formatted(proxy.port()));
  }

  @AfterEach
  void stop() {
    place.close();
    proxy.close();
    server.stop();
  }

  /** Has the next answer lost, and its connection with it. */
  private void loseAnswer() {
    AtomicBoolean lost = new AtomicBoolean();
    proxy.decide(
        message ->
            message.direction() == Direction.TO_CLIENT && !lost.getAndSet(true)
                ? Delivery.CUT
                : Delivery.PASS);
  }

  @Test
  void whatTheDriverMayHaveSentTwiceIsNotBelieved() {
    // given
    AtomicBoolean loses = new AtomicBoolean();
    LockBackend backend =
        place.backend(
            ServerSettings.standard()
                .onStatement(
                    text -> {
                      if (loses.getAndSet(false)) {
                        loseAnswer();
                      }
                    }),
            BackendOptions.DEFAULTS);
    SessionId mine = session(backend);

    // when
    Optional<BackendFailure> failure = Optional.empty();
    for (int i = 0; failure.isEmpty(); i++) {
      assertThat(i).as("releases that were answered").isLessThan(ATTEMPTS_MAX);
      Request held = request(mine, "a" + i, IfHeld.REFUSE);
      take(backend, held);
      loses.set(true);
      failure = failureOfRelease(backend, held);
    }

    // then
    assertThat(failure.get().effect()).isEqualTo(Effect.UNKNOWN);
    assertThat(place.text("SELECT max(queue) FROM holdfast_locks")).isEmpty();
    Request next = request(mine, "b", IfHeld.REFUSE);
    take(backend, next);
    assertThat(failureOfRelease(backend, next)).isEmpty();
  }

  /** What is answered is done by the copy that is answered. */
  private static Optional<BackendFailure> failureOfRelease(LockBackend backend, Request held) {
    try {
      assertThat(backend.release(held.name(), held.id(), soon())).isEqualTo(Released.FREED);
      return Optional.empty();
    } catch (BackendFailure e) {
      return Optional.of(e);
    }
  }
}
