package io.holdfast.engine.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.ProcessIdentity;
import io.holdfast.engine.seam.Seam;
import io.holdfast.engine.seam.ThreadedSeam;
import io.holdfast.spi.Capabilities;
import io.holdfast.spi.Capabilities.Expiry;
import io.holdfast.spi.Capabilities.Losses;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.spi.Capabilities.Wakeup;
import io.holdfast.spi.LockBackend;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class CoreTest {

  private static final int THREADS = 4;
  private static final int TURNS = 300_000;

  @Test
  void everyEffectHappensOnceAfterItsTurnOnTheThreadWhoseTurnItWas() throws Exception {
    try (Seam seam = new ThreadedSeam()) {
      Core core = new Core(unusedBackend(), seam, settings());
      AtomicIntegerArray runs = new AtomicIntegerArray(THREADS * TURNS);
      AtomicIntegerArray strangers = new AtomicIntegerArray(1);
      ExecutorService threads = Executors.newFixedThreadPool(THREADS);
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int first = t * TURNS;
        done.add(
            threads.submit(
                () -> {
                  Thread self = Thread.currentThread();
                  for (int i = first; i < first + TURNS; i++) {
                    int effect = i;
                    CompletableFuture<Integer> told = new CompletableFuture<>();
                    CompletableFuture<Void> seen =
                        told.thenAccept(
                            number -> {
                              runs.incrementAndGet(number);
                              if (Thread.currentThread() != self) {
                                strangers.incrementAndGet(0);
                              }
                            });
                    Turn turn = core.turn();
                    turn.lock.lock();
                    try {
                      if (effect % 2 != 0) {
                        turn.complete(told, effect);
                      }
                    } finally {
                      turn.lock.unlock();
                    }
                    assertThat(runs.get(effect)).isZero();
                    turn.carryOut();
                    assertThat(seen.isDone()).isEqualTo(effect % 2 != 0);
                  }
                }));
      }
      for (Future<?> future : done) {
        future.get();
      }
      threads.shutdown();
      for (int i = 0; i < runs.length(); i++) {
        assertThat(runs.get(i)).isEqualTo(i % 2 == 0 ? 0 : 1);
      }
      assertThat(strangers.get(0)).isZero();
    }
  }

  private static LockBackend unusedBackend() {
    return (LockBackend)
        Proxy.newProxyInstance(
            CoreTest.class.getClassLoader(),
            new Class<?>[] {LockBackend.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "describe" -> "unused";
                  case "capabilities" ->
                      new Capabilities(
                          Wakeup.POLL,
                          Order.FIFO,
                          Expiry.BY_STORE,
                          Set.of(LockMode.EXCLUSIVE),
                          Set.of(),
                          Losses.NEVER);
                  default -> throw new AssertionError(method.getName());
                });
  }

  private static EngineSettings settings() {
    return new EngineSettings(
        new ProcessIdentity("test"),
        Duration.ofSeconds(1),
        Optional.empty(),
        Optional.empty(),
        0.01,
        "",
        false,
        List.of(),
        Runnable::run);
  }
}
