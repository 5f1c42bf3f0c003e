package io.holdfast.jdbc.mariadb;

import static io.holdfast.jdbc.fixtures.LockFile.observed;
import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.fixtures.ServerSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.fixtures.RewritingSource;
import io.holdfast.jdbc.fixtures.Watching;
import io.holdfast.jdbc.rules.WatchedPushRules;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.tck.client.TestClient;
import io.holdfast.tck.client.TestClient.Waiting;
import io.holdfast.tck.faults.Verb;
import io.holdfast.tck.report.Adapter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hand-over by ending the sleep of a connection that waits. */
@Adapter("mariadb")
class MariaHintsTest extends OnMaria implements WatchedPushRules {

  /** Plays after which all were woken once at least. */
  private static final int PLAYS_MAX = 5;

  @BeforeEach
  void awaitQuiet() {
    await().atMost(TIMEOUT).until(() -> listeners() == 0);
  }

  @Override
  public LockBackend backend() {
    return schema.backend();
  }

  /** Between two sleeps one is not seen for a moment. */
  @Override
  public void breakListeners() {
    await()
        .atMost(TIMEOUT)
        .until(
            () -> {
              String id =
                  schema.text(
                      """
                      SELECT coalesce(max(id), '') FROM information_schema.processlist
                      WHERE info LIKE '%%SELECT SLEEP(%%' AND db = '%s' AND id <> connection_id()"""
                          .formatted(schema.name()));
              if (!id.isEmpty()) {
                kill(id);
              }
              return !id.isEmpty();
            });
  }

  private void kill(String id) {
    try (Connection connection = DriverManager.getConnection(schema.uri());
        Statement statement = connection.createStatement()) {
      statement.execute("KILL CONNECTION " + id);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** It may not end another user's statements, and what it has done is done all the same. */
  @Test
  void aHolderThatIsAnotherUserHandsOverAsWell() throws Exception {
    String user = "other_" + schema.name();
    schema.execute("CREATE USER %s@'%%' IDENTIFIED BY 'x'".formatted(user));
    schema.execute("GRANT ALL ON %s.* TO %s@'%%'".formatted(schema.name(), user));
    try {
      LockBackend backend = backend();
      String way = schema.uri().replace("user=root", "user=%s&password=x".formatted(user));
      LockBackend other = schema.backend(way, ServerSettings.standard(), BackendOptions.DEFAULTS);
      SessionId next = session(backend);
      List<LockName> hints = new CopyOnWriteArrayList<>();
      Request held = request(session(other), "a", IfHeld.QUEUE);
      take(other, held);
      try (AutoCloseable listening = backend.listen(next, hints::add, soon())) {
        backend.grab(request(next, "a", IfHeld.QUEUE), soon());

        other.release(held.name(), held.id(), soon());

        await().atMost(TIMEOUT).until(() -> hints.contains(held.name()));
      }
    } finally {
      schema.execute("DROP USER %s@'%%'".formatted(user));
    }
  }

  /** As behind a proxy that takes it for its own. */
  @Test
  void whereNothingWakesAWatchThereAreNoHints() throws SQLException {
    RewritingSource rewriting =
        new RewritingSource(
            new MariaSource(schema.uri()),
            text -> text.replace("KILL QUERY IS_USED_LOCK(", "DO ("));
    try (LockBackend backend =
        Backends.maria(
            schema.uri(), rewriting, ServerSettings.standard(), BackendOptions.DEFAULTS, soon())) {
      SessionId session = session(backend);

      assertThatThrownBy(() -> backend.listen(session, name -> {}, soon()))
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("KILL QUERY");
      await().atMost(TIMEOUT).until(() -> listeners() == 0);
    }
  }

  /** The statements of a pair are counted by {@code StatementsPerVerbTest}. */
  @Test
  void whereNobodyWaitsNobodyIsWoken() throws SQLException {
    AtomicInteger wakes = new AtomicInteger();
    LockBackend backend =
        schema.backend(
            ServerSettings.standard()
                .onStatement(text -> wakes.addAndGet(text.startsWith("KILL") ? 1 : 0)),
            BackendOptions.DEFAULTS);
    SessionId mine = session(backend);
    for (int i = 0; i < 20; i++) {
      Request held = request(mine, "a", IfHeld.QUEUE);
      take(backend, held);
      backend.release(held.name(), held.id(), soon());
    }
    assertThat(wakes).hasValue(0);

    SessionId other = session(backend);
    requireAllWoken(
        1,
        () -> {
          wakes.set(0);
          Request held = request(mine, "a", IfHeld.QUEUE);
          Request next = request(other, "a", IfHeld.QUEUE);
          take(backend, held);
          backend.grab(next, soon());
          backend.release(held.name(), held.id(), soon());
          backend.release(next.name(), next.id(), soon());
          return wakes.get();
        });
  }

  /** A wake is let be if it takes long, as on a machine that stands still; not each time. */
  private static void requireAllWoken(int number, IntSupplier play) {
    int woken = play.getAsInt();
    for (int again = 0; woken < number && again < PLAYS_MAX; again++) {
      woken = play.getAsInt();
    }
    assertThat(woken).as("wakes").isEqualTo(number);
  }

  /** Who overtakes knows that it holds, and those who share the lock with it do not. */
  @Test
  void whoeverIsLetInByAnOvertakeIsWoken() throws SQLException {
    AtomicInteger wakes = new AtomicInteger();
    LockBackend backend =
        schema.backend(
            ServerSettings.standard()
                .onStatement(text -> wakes.addAndGet(text.startsWith("KILL") ? 1 : 0)),
            BackendOptions.DEFAULTS);
    requireAllWoken(
        2,
        () -> {
          wakes.set(0);
          overtakeTheDead(backend);
          return wakes.get();
        });
  }

  /** Two come to hold, who leave then. */
  private static void overtakeTheDead(LockBackend backend) {
    SessionId dead = session(backend);
    Request held = request(dead, "a", IfHeld.QUEUE);
    long number = take(backend, held).number();
    Request first = request(session(backend), "a", IfHeld.QUEUE).with(LockMode.SHARED);
    Request second = request(session(backend), "a", IfHeld.QUEUE).with(LockMode.SHARED);
    backend.grab(first, soon());
    backend.grab(second, soon());
    backend.end(dead, EndIf.CLOSED, soon());

    Attempt attempt = backend.overtake(first, observed(held, number), soon());

    assertThat(attempt).isInstanceOf(Attempt.Granted.class);
    assertThat(backend.inspect(held.name(), soon()).orElseThrow().holders()).hasSize(2);
    backend.release(first.name(), first.id(), soon());
    backend.release(second.name(), second.id(), soon());
  }

  /** Whatever the number of those who wait. */
  @Test
  void thereIsOneConnectionForHintsAndOnlyWhileSomebodyListens() throws Exception {
    try (TestClient holder = client(LONG_TTL);
        TestClient waiter = client(LONG_TTL)) {
      List<Grant> held = new ArrayList<>();
      List<Waiting> waiting = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        held.add(holder.hold("many/" + i));
        waiting.add(waiter.waitFor("many/" + i, TIMEOUT));
      }
      await().atMost(TIMEOUT).until(() -> waiter.hasAnswerOf(Verb.LISTEN));
      assertThat(listeners()).isEqualTo(1);
      assertThat(bells()).isEqualTo(1);

      held.forEach(Grant::close);
      waiting.forEach(each -> each.grant().close());
    }
    await().atMost(TIMEOUT).until(() -> listeners() == 0);
    await().atMost(TIMEOUT).until(() -> connections() == 0);
  }

  /** Returns how many sessions have a lock by which they are found. */
  private int bells() throws SQLException {
    int bells = 0;
    try (Connection connection = DriverManager.getConnection(schema.uri());
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id FROM holdfast_sessions");
        Statement asking = connection.createStatement()) {
      while (rows.next()) {
        try (ResultSet used =
            asking.executeQuery(
                "SELECT IS_USED_LOCK('holdfast:%s') IS NOT NULL".formatted(rows.getString(1)))) {
          used.next();
          bells += used.getInt(1);
        }
      }
    }
    return bells;
  }

  /** Returns how many connections there are but for that of the question. */
  private int connections() {
    return Integer.parseInt(
        schema.text(
            "SELECT count(*) - 1 FROM information_schema.processlist WHERE db = '%s'"
                .formatted(schema.name())));
  }

  /** Both wait for the same time, one of them without hints. */
  @Test
  void aWaiterSendsFewerStatementsThanOneWithoutHints() {
    AtomicInteger told = new AtomicInteger();
    AtomicInteger sleeps = new AtomicInteger();
    AtomicInteger asking = new AtomicInteger();
    LockBackend quiet =
        schema.backend(
            ServerSettings.standard()
                .onStatement(text -> (text.contains("SLEEP") ? sleeps : told).incrementAndGet()),
            BackendOptions.DEFAULTS);
    LockBackend polling =
        schema.backend(
            ServerSettings.standard().onStatement(text -> asking.incrementAndGet()),
            BackendOptions.DEFAULTS);

    Watching.compare(backend(), quiet, polling, told, asking);

    Watching.LOG.info("MariaDB: and {} sleeps", sleeps);
  }

  @Test
  void aHandOverIsTimed() {
    Watching.time("MariaDB", schema::backend);
  }
}
