package io.holdfast.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.zookeeper.ZooServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Two copies of one grab make two nodes, one of which goes. Whichever copy removes it, and whatever
 * the other has read by then, both tell the number of the one that stays.
 */
@Tag("server")
class ZooCopiesTest {

  /** More than a grab has that finds its request twice. */
  private static final int STEPS = 9;

  private static final ThreadLocal<@Nullable Stopped> STOPPED = new ThreadLocal<>();

  @Test
  void copiesOfOneGrabAreToldOneNumberWhereverEachIsStopped() {
    try (ZooServer server = ZooServer.launch();
        LockBackend backend =
            ZookeeperLockProvider.connect(
                server.uri(),
                BackendOptions.DEFAULTS,
                ZooCopiesTest::beforeStep,
                StoreFixture.soon())) {
      SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
      for (int first = 1; first <= STEPS; first++) {
        for (int second = 1; second <= STEPS; second++) {
          client.keepAlive();
          LockName name = new LockName("copies/" + first + "/" + second);
          client.release(client.hold(name)); // Its queue is there, so the first step is the node.
          Request asked = client.waitingRequest(name);
          Stopped one = Stopped.before(first, () -> client.hold(asked));
          Stopped other = Stopped.before(second, () -> client.hold(asked));

          Held toldOne = one.goOn();
          Held toldOther = other.goOn();

          assertThat(toldOther).as("stopped before %d and %d", first, second).isEqualTo(toldOne);
          assertThat(client.holding(asked)).isEqualTo(toldOne);
          client.release(asked);
          client.requireFree(name);
        }
      }
    }
  }

  private static void beforeStep() {
    Stopped stopped = STOPPED.get();
    if (stopped != null) {
      stopped.beforeStep();
    }
  }

  /** A call on a thread of its own that waits before one of its steps. */
  private static final class Stopped {
    private final Semaphore arrived = new Semaphore(0);
    private final Semaphore let = new Semaphore(0);
    private final CompletableFuture<Held> told = new CompletableFuture<>();
    private int stepsLeft;

    private Stopped(int step) {
      stepsLeft = step;
    }

    /** Returns when the call is before its so-manieth step, or at its end. */
    static Stopped before(int step, Supplier<Held> call) {
      Stopped stopped = new Stopped(step);
      Thread thread =
          new Thread(
              () -> {
                STOPPED.set(stopped);
                try {
                  stopped.told.complete(call.get());
                } catch (Throwable e) {
                  stopped.told.completeExceptionally(e);
                } finally {
                  stopped.arrived.release();
                }
              });
      thread.setDaemon(true);
      thread.start();
      stopped.arrived.acquireUninterruptibly();
      return stopped;
    }

    private void beforeStep() {
      if (--stepsLeft == 0) {
        arrived.release();
        let.acquireUninterruptibly();
      }
    }

    Held goOn() {
      let.release();
      return told.orTimeout(StoreFixture.LONG.toSeconds(), TimeUnit.SECONDS).join();
    }
  }
}
