package io.holdfast.jdbc.h2;

import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.SessionId;
import io.holdfast.error.HoldfastException;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.answer.Renewed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * No interrupt reaches a thread inside a database of this JVM: such a thread takes the database
 * with it, and all clients in this JVM have it no more.
 */
class H2InterruptTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(2);

  private static final Duration STORM = Duration.ofMillis(1500);

  private static final int CLIENTS = 2;
  private static final int THREADS = 8;
  private static final int LOCKS = 2;

  @TempDir private Path directory;

  private final AtomicReferenceArray<LockClient> clients = new AtomicReferenceArray<>(CLIENTS);
  private final Random random = new Random(1);
  private volatile boolean over;

  /** Something that befalls the threads at work, until it is over. */
  private interface Trouble {
    void make(String uri, List<Thread> threads) throws InterruptedException;
  }

  @ParameterizedTest
  @ValueSource(strings = {"jdbc:h2:%s", "jdbc:h2:async:%s", "jdbc:h2:mem:%s"})
  void threadsThatAreInterruptedInCallsDoTheDatabaseNoHarm(String form) throws Exception {
    survives(
        form,
        (uri, threads) -> {
          TimeUnit.MICROSECONDS.sleep(random.nextInt(1000));
          threads.get(random.nextInt(threads.size())).interrupt();
        });
  }

  /** Also one that is closed by a thread whose interrupt is pending. */
  @ParameterizedTest
  @ValueSource(strings = {"jdbc:h2:%s", "jdbc:h2:async:%s", "jdbc:h2:mem:%s"})
  void clientsThatCloseDoTheOthersNoHarm(String form) throws Exception {
    survives(
        form,
        (uri, threads) -> {
          TimeUnit.MILLISECONDS.sleep(random.nextInt(10));
          LockClient old = clients.getAndSet(random.nextInt(CLIENTS), Holdfast.connect(uri));
          if (random.nextBoolean()) {
            Thread.currentThread().interrupt();
          }
          old.close();
          boolean unused = Thread.interrupted();
        });
  }

  @Test
  void anInterruptIsPendingAfterACall() {
    try (H2TestDatabase place = new H2TestDatabase("jdbc:h2:" + directory.resolve("locks"))) {
      LockBackend backend = place.backend();
      SessionId session = session(backend);
      backend.renew(session, soon()); // The next finds its connection without waiting.
      Thread.currentThread().interrupt();

      Renewed renewed = backend.renew(session, soon());

      assertThat(Thread.interrupted()).isTrue();
      assertThat(renewed).isInstanceOf(Renewed.Alive.class);
      backend.renew(session, soon());
      assertThat(Thread.interrupted()).isFalse();
    }
  }

  private void survives(String form, Trouble trouble) throws Exception {
    H2TestDatabase place = new H2TestDatabase(form.formatted(directory.resolve("locks")));
    try (Connection past = place.connect();
        Statement asks = past.createStatement()) {
      asks.execute(SlowClock.CREATE);
      for (int i = 0; i < CLIENTS; i++) {
        clients.set(i, Holdfast.connect(place.uri()));
      }

      storm(place.uri(), trouble);

      assertThat(SlowClock.interrupted()).as("interrupted inside").isZero();
      assertThatCode(() -> asks.execute("SELECT 1")).doesNotThrowAnyException();
      try (LockClient fresh = Holdfast.connect(place.uri())) {
        takesEach(fresh);
      }
      for (int i = 0; i < CLIENTS; i++) {
        takesEach(clients.get(i));
      }
    } finally {
      for (int i = 0; i < CLIENTS; i++) {
        clients.get(i).close();
      }
    }
    assertThat(recorded()).doesNotContain("MVStoreException", "nterrupt");
  }

  private void storm(String uri, Trouble trouble) throws Exception {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int client = i % CLIENTS;
      Thread thread = new Thread(() -> takeAndGiveBack(client), "taker-" + i);
      thread.start();
      threads.add(thread);
    }
    long begunNanos = System.nanoTime();
    try {
      while (System.nanoTime() - begunNanos < STORM.toNanos()) {
        trouble.make(uri, threads);
      }
    } finally {
      over = true;
    }
    for (Thread thread : threads) {
      thread.join(LONG.toMillis());
      assertThat(thread.isAlive()).isFalse();
    }
  }

  private void takeAndGiveBack(int client) {
    while (!over) {
      ThreadLocalRandom any = ThreadLocalRandom.current();
      String lock = "lock-" + any.nextInt(LOCKS);
      Duration patience = any.nextInt(4) == 0 ? LONG : SHORT;
      try (Grant held = clients.get(client).lock(lock).acquire(patience)) {
        held.check();
      } catch (HoldfastException | IllegalStateException e) {
        // It was interrupted, or had no patience, or its client was closed.
      }
      boolean unused = Thread.interrupted();
    }
  }

  private static void takesEach(LockClient client) {
    for (int i = 0; i < LOCKS; i++) {
      client.lock("lock-" + i).acquire(LONG).release();
    }
  }

  /** What H2 has written down of its troubles. */
  private String recorded() throws Exception {
    Path trace = directory.resolve("locks.trace.db");
    return Files.exists(trace) ? Files.readString(trace) : "";
  }
}
