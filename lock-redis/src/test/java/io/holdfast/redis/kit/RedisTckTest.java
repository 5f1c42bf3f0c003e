package io.holdfast.redis.kit;

import io.holdfast.redis.failure.RedisFailOverTest;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.RespFraming;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.NetworkControl;
import io.holdfast.tck.store.RealClockControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.redis.RedisServer;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The whole kit on a Redis server with a clock of its own, each test under its own prefix. */
@Adapter(value = "redis", provedBy = RedisFailOverTest.class)
@Tag("server")
@SharedServer(disturbedBy = {ClockControl.class, RestartControl.class, FailOverControl.class})
public class RedisTckTest extends HoldfastTck {

  private static final ShiftedClock CLOCK = ShiftedClock.make();

  private static RedisServer server;

  @BeforeAll
  public static void startServer() {
    server = RedisServer.launch(CLOCK);
  }

  @AfterAll
  public static void stopServer() {
    server.close();
    CLOCK.close();
  }

  @Override
  protected TckStore openStore() {
    return new ServerStore();
  }

  private static final class ServerStore extends LosingStore
      implements RealClockControl, RestartControl, NetworkControl {

    private boolean clockIsWrong;

    ServerStore() {
      super(server);
    }

    @Override
    public LockBackend connect(BackendOptions options, Runnable beforeStep) {
      return connect(server.port(), options, beforeStep);
    }

    private LockBackend connect(int port, BackendOptions options, Runnable beforeStep) {
      LockBackend backend = namespace().backend(namespace().uri(port), options, beforeStep);
      return asOldAsItIs(backend);
    }

    @Override
    public Optional<String> uri() {
      return Optional.of(uri(server.port()));
    }

    @Override
    public int serverPort() {
      return server.port();
    }

    @Override
    public Framing framing() {
      return new RespFraming();
    }

    @Override
    public LockBackend connect(int port, BackendOptions options) {
      return connect(port, options, () -> {});
    }

    @Override
    public String uri(int port) {
      return namespace().uri(port) + "&restartGuard=off";
    }

    @Override
    public void stepClock(Duration by) {
      clockIsWrong = true;
      CLOCK.step(by);
    }

    @Override
    public void restartLosingNothing() {
      server.restart();
    }

    @Override
    public void close() {
      if (clockIsWrong) {
        CLOCK.setRight();
      }
      super.close();
    }
  }
}
