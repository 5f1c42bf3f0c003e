package io.holdfast.memory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.engine.seam.Seam;
import io.holdfast.engine.seam.ThreadedSeam;
import io.holdfast.error.ClientClosedException;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.memory.world.InterceptedSeam;
import io.holdfast.memory.world.RealTime;
import io.holdfast.memory.world.World;
import io.holdfast.record.LockRecord;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A process exits, or its client closes, while calls about some locks hang, as where their rows are
 * locked: what it leaves of the others, about which the store answers.
 */
class HangingCallsAtExitTest {

  private static final String HANGS = "hangs-";
  private static final Duration LONG = Duration.ofMinutes(10);

  /** Twice as many calls as the threads for calls in the background make at a time, and more. */
  private static final int MANY = 2 * ThreadedSeam.BACKGROUND_MAX + 8;

  private static boolean isAboutOneThatHangs(List<Object> args) {
    return args.toString().contains(HANGS);
  }

  @Test
  void whatIsWithdrawnLateDoesNotWaitForWithdrawalsThatHang() {
    World world = new World(Wakeup.PUSH);
    World.Peer other = world.process();
    World.Peer exiting = world.process();
    int waits = 9; // One more than withdraw at a time.
    for (int i = 0; i <= waits; i++) {
      other.client.lock(HANGS + i).acquire();
    }
    other.client.lock("x").acquire();
    exiting.client.lock("held").acquire();
    for (int i = 0; i < waits; i++) {
      CompletableFuture<Grant> unused = exiting.client.lock(HANGS + i).acquireAsync();
    }
    world.time.advance(Duration.ofSeconds(1));
    exiting.network = World.dead().where(sent -> isAboutOneThatHangs(sent.args()));
    exiting.seam.latency(Duration.ofMillis(100));
    CompletableFuture<Grant> hangs = exiting.client.lock(HANGS + waits).acquireAsync();
    CompletableFuture<Grant> late = exiting.client.lock("x").acquireAsync();
    world.time.advance(Duration.ofMillis(150)); // Both grabs have come to the store.
    assertThat(other.client.find("x").orElseThrow().waiters()).hasSize(1);

    exiting.seam.exit();

    assertThat(other.client.find("x").orElseThrow().waiters()).isEmpty();
    assertThat(late).isCompletedExceptionally();
    assertThat(hangs).isCompletedExceptionally();
  }

  // --- on real threads, of which there are a few ---

  private final MemoryStore store = new MemoryStore("exits", MemoryOptions.DEFAULTS);
  private final AtomicBoolean hangs = new AtomicBoolean();
  private final AtomicInteger hanging = new AtomicInteger();
  private final CountDownLatch never = new CountDownLatch(1);
  private final List<Runnable> exitHooks = new ArrayList<>();

  private LockClient client(LockBackend backend) {
    Seam seam =
        new InterceptedSeam(new ThreadedSeam()) {
          @Override
          public Timer onExit(Runnable task) {
            exitHooks.add(task);
            return Timer.NONE;
          }
        };
    return RealTime.client(seam, backend);
  }

  private LockBackend whoseCallsHang() {
    LockBackend backend = store.connect(BackendOptions.DEFAULTS);
    return (LockBackend)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {LockBackend.class},
            (proxy, method, args) -> {
              if (hangs.get()
                  && args != null
                  && args[args.length - 1] instanceof Deadline deadline
                  && isAboutOneThatHangs(List.of(args))) {
                hang(method.getName(), deadline);
              }
              try {
                return method.invoke(backend, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** As a driver does that keeps to its deadline, but for grabs. */
  private void hang(String verb, Deadline deadline) throws InterruptedException {
    hanging.incrementAndGet();
    boolean isLate = verb.equals("grab");
    Duration time = isLate ? LONG : deadline.remaining();
    boolean unused = never.await(time.toNanos(), TimeUnit.NANOSECONDS);
    throw new BackendFailure(Effect.UNKNOWN, "no answer", null);
  }

  private static void awaitWaiters(LockClient other, List<String> names) {
    for (String name : names) {
      await()
          .atMost(LONG)
          .pollDelay(Duration.ZERO)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> other.find(name).orElseThrow().waiters().size() == 1);
    }
  }

  @Test
  void theExitWithdrawsAllThatAreAnsweredBesideManyThatHang() {
    try (LockClient other = client(store.connect(BackendOptions.DEFAULTS))) {
      LockClient exiting = client(whoseCallsHang());
      List<String> answered = IntStream.range(0, MANY).mapToObj(i -> "x-" + i).toList();
      List<String> all = new ArrayList<>();
      IntStream.range(0, MANY).forEach(i -> all.add(HANGS + i));
      all.addAll(answered);
      all.forEach(name -> other.lock(name).acquire());
      exiting.lock("held").acquire();
      for (String name : all) {
        CompletableFuture<Grant> unused = exiting.lock(name).acquireAsync();
      }
      awaitWaiters(other, all);
      hangs.set(true);

      exitHooks.get(1).run();

      assertThat(answered)
          .allSatisfy(name -> assertThat(other.find(name).orElseThrow().waiters()).isEmpty());
      never.countDown();
      exiting.close();
    }
  }

  @Test
  void closingEndsTheSessionWhileAllThreadsForCallsInTheBackgroundHang() throws Exception {
    try (LockClient other = client(store.connect(BackendOptions.DEFAULTS))) {
      LockClient closing = client(whoseCallsHang());
      closing.lock("held").acquire();
      List<String> waited = IntStream.range(0, 8).mapToObj(i -> HANGS + "waits-" + i).toList();
      waited.forEach(name -> other.lock(name).acquire());
      for (String name : waited) {
        CompletableFuture<Grant> unused = closing.lock(name).acquireAsync();
      }
      awaitWaiters(other, waited);
      hangs.set(true);
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        String name = HANGS + "thread-" + i;
        Thread thread = new Thread(() -> askUntilClosed(closing, name));
        threads.add(thread);
        thread.start();
      }
      for (int i = 0; i < 6; i++) {
        CompletableFuture<Grant> unused = closing.lock(HANGS + "async-" + i).acquireAsync();
      }
      // With those that are withdrawn now they are more than there are threads.
      await().atMost(LONG).until(() -> hanging.get() >= 18);

      closing.close();

      assertThat(other.find("held").filter(LockRecord::isHeld)).isEmpty();
      never.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  private static void askUntilClosed(LockClient client, String name) {
    assertThatThrownBy(() -> client.lock(name).acquire(AcquireOptions.forever().uninterruptibly()))
        .isInstanceOf(ClientClosedException.class);
  }
}
