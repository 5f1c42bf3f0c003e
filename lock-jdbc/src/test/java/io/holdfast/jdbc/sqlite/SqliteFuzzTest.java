package io.holdfast.jdbc.sqlite;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Obstacle;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Clients that come, wait, give up, die and sweep, against a register in memory. */
class SqliteFuzzTest {

  private static final Logger LOG = LoggerFactory.getLogger(SqliteFuzzTest.class);

  private static final List<String> NAMES = List.of("a", "b", "c");
  private static final int CLIENTS = 6;
  private static final long SEED = Long.getLong("holdfast.seed", System.nanoTime());

  @TempDir private Path directory;
  private final Map<String, Request> owners = new ConcurrentHashMap<>();
  private final Map<String, Long> numbers = new ConcurrentHashMap<>();
  private final AtomicInteger grants = new AtomicInteger();
  private final AtomicBoolean failed = new AtomicBoolean();
  private final AtomicInteger deaths = new AtomicInteger();

  @Test
  void nobodyMeetsAnybodyAndNumbersRise() throws Exception {
    LOG.info("-Dholdfast.seed={}", SEED);
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try (LockFile file = LockFile.in(directory)) {
      List<Future<?>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        LockBackend backend = file.backend(SqliteSettings.standard().idle(Duration.ofMillis(20)));
        Random random = new Random(SEED + i);
        clients.add(
            threads.submit(
                () -> {
                  boolean done = false;
                  try {
                    new Client(backend, random).run();
                    done = true;
                  } finally {
                    // Or those who wait for it would wait until the test's time is over.
                    failed.compareAndSet(false, !done);
                  }
                }));
      }
      for (Future<?> client : clients) {
        client.get(120, TimeUnit.SECONDS);
      }
      LOG.info("{} grants, {} deaths", grants.get(), deaths.get());
      assertThat(grants.get()).isGreaterThan(CLIENTS * 100);
      assertThat(deaths.get()).isPositive();
      LockBackend last = file.backend(SqliteSettings.standard().idle(Duration.ZERO));
      // A record is kept until the clock, which has milliseconds, has passed its number.
      await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () ->
                  last.sweep(soon()) == 0
                      && file.number("SELECT count(*) FROM holdfast_locks") == 0
                      && file.number("SELECT count(*) FROM holdfast_sessions") == 0);
    } finally {
      threads.shutdownNow();
    }
  }

  private final class Client {

    private final LockBackend backend;
    private final Random random;
    private SessionId session;

    Client(LockBackend backend, Random random) {
      this.backend = backend;
      this.random = random;
      this.session = openAgain();
    }

    /** Long-lived: only its owner ends it, as a death or at the end. */
    private SessionId openAgain() {
      return session(backend, Duration.ofSeconds(50));
    }

    void run() {
      for (int i = 0; i < 400; i++) {
        String name = NAMES.get(random.nextInt(NAMES.size()));
        Request request =
            request(session, name, random.nextInt(4) == 0 ? IfHeld.REFUSE : IfHeld.QUEUE);
        if (acquire(request)) {
          hold(request);
        }
        if (random.nextInt(50) == 0) {
          backend.sweep(soon());
        }
      }
      backend.end(session, EndIf.CLOSED, soon());
    }

    private boolean acquire(Request request) {
      Attempt attempt = backend.grab(request, soon());
      if (attempt instanceof Attempt.Refused refused) {
        refused
            .record()
            .holder()
            .filter(h -> h.liveness() == io.holdfast.record.Liveness.ENDED)
            .ifPresent(
                dead ->
                    backend.overtake(
                        request,
                        new io.holdfast.spi.answer.Observed(
                            request.name(), refused.record().number(), dead.request()),
                        soon()));
        attempt = backend.grab(request, soon());
      }
      int looksLeft = random.nextInt(8) == 0 ? 3 : 100_000;
      while (attempt instanceof Attempt.Queued && looksLeft-- > 0 && !failed.get()) {
        Standing standing = backend.look(session, List.of(request.key()), soon()).get(0);
        if (standing instanceof Standing.Holding) {
          attempt = backend.grab(request, soon());
        } else if (standing instanceof Standing.Waiting waiting) {
          waiting.obstacles().forEach(obstacle -> remove(request, obstacle));
        }
      }
      if (attempt instanceof Attempt.Granted granted) {
        recordIncarnation(request, granted.number());
        return true;
      }
      // Gives up, and may have been handed the lock at the last moment without knowing.
      backend.release(request.name(), request.id(), soon());
      return false;
    }

    private void remove(Request request, Obstacle obstacle) {
      if (obstacle.isHead()) {
        if (backend.overtake(request, obstacle.head(), soon()) instanceof Attempt.SessionOver) {
          throw new AssertionError("a living session was taken for one that is over");
        }
      } else {
        backend.release(request.name(), obstacle.request(), soon());
      }
    }

    private void recordIncarnation(Request request, long number) {
      String name = request.name().value();
      Request other = owners.putIfAbsent(name, request);
      assertThat(other).as("the other holder of %s", name).isNull();
      Long before = numbers.put(name, number);
      assertThat(before == null ? 0 : before).as("the number before").isLessThan(number);
      grants.incrementAndGet();
    }

    private void hold(Request request) {
      LockName name = request.name();
      if (random.nextInt(3) == 0) {
        LockSupport.parkNanos(random.nextInt(300_000));
      }
      assertThat(owners.remove(name.value())).isEqualTo(request);
      if (random.nextInt(40) == 0) {
        // Dies: what it held, and where it waited, is for the others to find.
        deaths.incrementAndGet();
        backend.grab(request(session, name.value(), IfHeld.QUEUE), soon());
        backend.end(session, EndIf.CLOSED, soon());
        session = openAgain();
      } else {
        assertThat(backend.release(name, request.id(), soon()))
            .isIn(Released.FREED, Released.HANDED_ON);
      }
    }
  }
}
