package io.holdfast.jdbc.postgres;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.postgres.PostgresSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.adapter.PushRules;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.report.Adapter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Hand-over by LISTEN and NOTIFY. */
@Adapter("postgresql")
class PostgresHintsTest extends OnPostgres implements PushRules {

  @Override
  public LockBackend backend() {
    return schema.backend();
  }

  @Override
  public int listeners() {
    return Integer.parseInt(
        schema.text("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"));
  }

  @Override
  public void breakListeners() {
    schema.text(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");
  }

  @Test
  void aHandOverIsHintedToTheNextInLineAndToNobodyElse() throws Exception {
    // given
    LockBackend backend = schema.backend();
    SessionId mine = session(backend);
    SessionId next = session(backend);
    SessionId last = session(backend);
    List<LockName> toNext = new CopyOnWriteArrayList<>();
    List<LockName> toLast = new CopyOnWriteArrayList<>();
    String name = "ä".repeat(LockName.BYTES_MAX / 2);
    Request held = request(mine, name, IfHeld.QUEUE);
    take(backend, held);
    Request second = request(next, name, IfHeld.QUEUE);
    backend.grab(second, soon());
    backend.grab(request(last, name, IfHeld.QUEUE), soon());
    try (AutoCloseable one = backend.listen(next, toNext::add, soon());
        AutoCloseable two = backend.listen(last, toLast::add, soon())) {

      // when
      backend.release(held.name(), held.id(), soon());

      // then
      await().atMost(TIMEOUT).until(() -> !toNext.isEmpty());
      assertThat(toNext).containsExactly(held.name());
      assertThat(toLast).isEmpty();
      backend.release(held.name(), second.id(), soon());
      await().atMost(TIMEOUT).until(() -> !toLast.isEmpty());
      assertThat(toNext).hasSize(1);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "", "C3", "2"})
  void whatOthersNotifyEndsNoHints(String payload) throws Exception {
    // given
    LockBackend backend = schema.backend();
    SessionId mine = session(backend);
    SessionId next = session(backend);
    List<LockName> told = new CopyOnWriteArrayList<>();
    Request held = request(mine, "a", IfHeld.QUEUE);
    take(backend, held);
    backend.grab(request(next, "a", IfHeld.QUEUE), soon());
    try (AutoCloseable listening = backend.listen(next, told::add, soon())) {
      String channel =
          schema.text(
              "SELECT substring(query FROM 8) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'");

      // when
      schema.text("SELECT pg_notify(trim('\"' FROM '%s'), '%s')".formatted(channel, payload));

      // then
      backend.release(held.name(), held.id(), soon());
      await().atMost(TIMEOUT).until(() -> told.contains(held.name()));
    }
  }

  @Test
  void thoseWhoShareAreToldOfTheFirstWhoWaitsAndOfNobodyElse() throws Exception {
    // given
    LockBackend backend = schema.backend();
    SessionId first = session(backend);
    SessionId second = session(backend);
    List<LockName> toFirst = new CopyOnWriteArrayList<>();
    List<LockName> toSecond = new CopyOnWriteArrayList<>();
    Request held = request(first, "a", IfHeld.QUEUE).with(LockMode.SHARED);
    Request shared = request(second, "a", IfHeld.QUEUE).with(LockMode.SHARED);
    take(backend, held);
    take(backend, shared);
    try (AutoCloseable one = backend.listen(first, toFirst::add, soon());
        AutoCloseable two = backend.listen(second, toSecond::add, soon())) {

      // when
      backend.grab(request(session(backend), "a", IfHeld.QUEUE), soon());

      // then
      await().atMost(TIMEOUT).until(() -> !toFirst.isEmpty() && !toSecond.isEmpty());
      backend.grab(request(session(backend), "a", IfHeld.QUEUE), soon());
      backend.release(held.name(), held.id(), soon());
      backend.release(held.name(), shared.id(), soon());
      Request last = request(first, "b", IfHeld.QUEUE);
      take(backend, last);
      backend.grab(request(session(backend), "b", IfHeld.QUEUE), soon());
      await().atMost(TIMEOUT).until(() -> toFirst.contains(last.name()));
      assertThat(toFirst).containsExactly(held.name(), last.name());
      assertThat(toSecond).containsExactly(held.name());
    }
  }

  @Test
  void allWhoAreLetInAreHinted() throws Exception {
    LockBackend backend = schema.backend();
    SessionId first = session(backend);
    SessionId second = session(backend);
    List<LockName> toFirst = new CopyOnWriteArrayList<>();
    List<LockName> toSecond = new CopyOnWriteArrayList<>();
    Request held = request(session(backend), "a", IfHeld.QUEUE);
    take(backend, held);
    backend.grab(request(first, "a", IfHeld.QUEUE).with(LockMode.SHARED), soon());
    backend.grab(request(second, "a", IfHeld.QUEUE).with(LockMode.SHARED), soon());
    try (AutoCloseable one = backend.listen(first, toFirst::add, soon());
        AutoCloseable two = backend.listen(second, toSecond::add, soon())) {

      backend.release(held.name(), held.id(), soon());

      await().atMost(TIMEOUT).until(() -> !toFirst.isEmpty() && !toSecond.isEmpty());
    }
  }

  /** Else it would learn with its next heartbeat when the lock is to be had. */
  @Test
  void theFirstWaiterIsToldThatTheLockStaysTaken() throws Exception {
    LockBackend backend = schema.backend();
    SessionId next = session(backend);
    Request held = request(session(backend), "a", IfHeld.QUEUE);
    take(backend, held);
    Request waits = request(next, "a", IfHeld.QUEUE);
    backend.grab(waits, soon());
    List<LockName> hints = new CopyOnWriteArrayList<>();
    try (AutoCloseable listening = backend.listen(next, hints::add, soon())) {

      backend.releaseAfter(held.key(), Duration.ofHours(1), soon());

      await().atMost(TIMEOUT).until(() -> hints.contains(held.name()));
    }
    assertThat(backend.look(next, List.of(waits.key()), soon()))
        .singleElement()
        .isInstanceOfSatisfying(
            Standing.Waiting.class,
            waiting ->
                assertThat(waiting.nextDue().orElseThrow()).isGreaterThan(Duration.ofMinutes(30)));
  }

  /** Some are parts of other words in the statements. */
  @ParameterizedTest
  @ValueSource(strings = {"mine_", "hold", "s", "holdfast_holdfast_"})
  void aHandOverIsHintedWhateverTheTablesAreCalled(String prefix) throws Exception {
    LockBackend backend =
        schema.backend(ServerSettings.standard().prefix(prefix), BackendOptions.DEFAULTS);
    SessionId next = session(backend);
    Request held = request(session(backend), "a", IfHeld.QUEUE);
    take(backend, held);
    Request second = request(next, "a", IfHeld.QUEUE);
    backend.grab(second, soon());
    List<LockName> hints = new CopyOnWriteArrayList<>();
    try (AutoCloseable listening = backend.listen(next, hints::add, soon())) {

      backend.release(held.name(), held.id(), soon());

      await().atMost(TIMEOUT).until(() -> hints.contains(held.name()));
    }
    assertThat(schema.text("SELECT count(*) FROM %slocks".formatted(prefix))).isEqualTo("1");
  }

  /**
   * The server keeps what is notified until every listener has read it, which one in a transaction
   * does not, and tells how full it is in steps of 8 KiB: eight notifications with a long name.
   */
  @Test
  void whereNobodyWaitsNobodyIsNotified() throws SQLException {
    LockBackend backend = schema.backend();
    SessionId mine = session(backend);
    SessionId other = session(backend);
    String name = "n".repeat(LockName.BYTES_MAX);
    try (Connection deaf = DriverManager.getConnection(schema.uri());
        Statement statement = deaf.createStatement()) {
      statement.execute("LISTEN nothing");
      deaf.setAutoCommit(false);
      statement.execute("SELECT 1");
      String before = schema.text("SELECT pg_notification_queue_usage()");

      for (int i = 0; i < 50; i++) {
        Request held = request(mine, name, IfHeld.REFUSE);
        take(backend, held);
        backend.release(held.name(), held.id(), soon());
      }
      assertThat(schema.text("SELECT pg_notification_queue_usage()")).isEqualTo(before);

      Request held = request(mine, name, IfHeld.QUEUE);
      take(backend, held);
      for (int i = 0; i < 50; i++) {
        Request next = request(other, name, IfHeld.QUEUE);
        backend.grab(next, soon());
        backend.release(held.name(), held.id(), soon());
        held = next;
      }
      assertThat(schema.text("SELECT pg_notification_queue_usage()")).isNotEqualTo(before);
    }
  }

  @Test
  void aWaiterLooksWhenItIsToldAndOtherwiseOnlyWithItsHeartbeats() {
    try (TestClient holder = client(LONG_TTL);
        TestClient waiter = client(SHORT_TTL)) {
      // given
      Grant held = holder.hold("a");
      Waiting waits = waiting(waiter, holder);
      awaitListening();
      long renewals = waiter.count(Verb.RENEW);
      await().atMost(TIMEOUT).until(() -> waiter.count(Verb.RENEW) > renewals + 1);

      // when
      long before = waiter.count(Verb.RENEW);
      long looks = waiter.count(Verb.LOOK);
      await().atMost(TIMEOUT).until(() -> waiter.count(Verb.RENEW) >= before + 4);
      assertThat(waiter.count(Verb.LOOK) - looks)
          .as("looks in the time of four heartbeats")
          .isLessThanOrEqualTo(waiter.count(Verb.RENEW) - before + 1);
      held.close();

      // then
      waits.grant().check();
    }
  }

  @Test
  void thereIsAConnectionForHintsOnlyWhileSomebodyListens() throws Exception {
    LockBackend backend = schema.backend();
    SessionId one = session(backend);
    SessionId two = session(backend);
    assertThat(listeners()).isEqualTo(0);

    AutoCloseable first = backend.listen(one, name -> {}, soon());
    AutoCloseable second = backend.listen(two, name -> {}, soon());
    assertThat(listeners()).isEqualTo(1);
    first.close();
    assertThat(listeners()).isEqualTo(1);
    second.close();

    await().atMost(TIMEOUT).until(() -> listeners() == 0);
    try (AutoCloseable again = backend.listen(one, name -> {}, soon())) {
      assertThat(listeners()).isEqualTo(1);
      assertThat(threads()).isNotEmpty();
      backend.close();
      await().atMost(TIMEOUT).until(() -> listeners() == 0);
    }
    await().atMost(TIMEOUT).until(() -> threads().isEmpty());
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("holdfast-listen"))
        .toList();
  }
}
