package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.zookeeper.ZooServer;
import io.holdfast.zookeeper.call.Ensemble;
import io.holdfast.zookeeper.connection.Connection;
import io.holdfast.zookeeper.connection.Connections;
import io.holdfast.zookeeper.connection.Connector;
import io.holdfast.zookeeper.connection.OwnConnections;
import io.holdfast.zookeeper.connection.SessionTimes;
import io.holdfast.zookeeper.connection.ZookeeperUri;
import io.holdfast.zookeeper.layout.Paths;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The engine releases a request also while a look at it is under way, and never asks about it
 * again. The holder may hold for years, and with it what was remembered of the request.
 */
@Tag("server")
class ZooOverlappedLookTest {

  private static final long TIMEOUT_SECONDS = 60;
  private static final LockName LOCK = new LockName("a");
  private static final LockName OTHER = new LockName("b");
  private static final Runnable NOTHING = () -> {};

  /** What happens between the next answer and the thread that waits for it. */
  private final AtomicReference<Runnable> held = new AtomicReference<>(NOTHING);

  private LockBackend backend(ZooServer server) {
    ZookeeperUri uri =
        ZookeeperUri.parse(
            "zookeeper://%s?tickTime=%d".formatted(server.address(), ZooServer.TICK.toMillis()));
    Object connections =
        proxy(
            Connections.class,
            new OwnConnections(new Connector(uri, uri.describe())),
            (connection, method) ->
                method.equals("forNewSession") ? holdingBack(connection) : connection);
    Ensemble ensemble =
        new Ensemble(
            (Connections) connections,
            uri.describe(),
            new SessionTimes(uri.tick()),
            Ids.OPEN_ACL_UNSAFE,
            () -> {});
    return new ZookeeperLockBackend(ensemble, new Paths(uri.path()), BackendOptions.DEFAULTS);
  }

  private Object holdingBack(Object connection) {
    return proxy(
        Connection.class,
        connection,
        (result, method) -> {
          if (method.equals("answered")) {
            held.getAndSet(NOTHING).run();
          }
          return result;
        });
  }

  private interface After {
    Object returns(Object result, String method);
  }

  private static Object proxy(Class<?> type, Object target, After after) {
    return Proxy.newProxyInstance(
        type.getClassLoader(),
        new Class<?>[] {type},
        (proxy, method, arguments) ->
            after.returns(call(target, method, arguments), method.getName()));
  }

  private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  @Test
  void aReleaseBeforeItsAnswerLeavesNothing() throws Exception {
    try (ZooServer server = ZooServer.launch();
        LockBackend backend = backend(server)) {
      // given
      SpiClient holder = SpiClient.open(backend, StoreFixture.LONG);
      Request first = holder.hold(LOCK).request();
      Request second = holder.hold(OTHER).request();
      SpiClient waiter = SpiClient.open(backend, StoreFixture.LONG);
      BlockingQueue<LockName> hints = new LinkedBlockingQueue<>();
      AutoCloseable unused = backend.listen(waiter.session(), hints::add, StoreFixture.soon());
      Request gone = waiter.queue(LOCK);
      waiter.queue(OTHER);

      // when
      AtomicReference<Released> released = new AtomicReference<>();
      held.set(() -> released.set(backend.release(LOCK, gone.id(), StoreFixture.soon())));
      List<Standing> standings =
          backend.look(waiter.session(), List.of(gone.key()), StoreFixture.soon());

      // then
      assertThat(released).hasValue(Released.WAS_WAITING);
      assertThat(standings).singleElement().isInstanceOf(Standing.Waiting.class);
      backend.release(LOCK, first.id(), StoreFixture.soon());
      backend.release(OTHER, second.id(), StoreFixture.soon());
      assertThat(hints.poll(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isEqualTo(OTHER);
    }
  }
}
