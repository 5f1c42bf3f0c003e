package io.holdfast.jdbc;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.RequestId;
import io.holdfast.SessionId;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.QueueText;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.SessionSpec;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.SynchronousMode;

/**
 * The two statements that take a free lock and give it back, over a connection that nothing else is
 * done with. In the adapter's package, so that they are its own statements and not a copy that
 * would grow old.
 */
public final class BareStatements implements AutoCloseable {

  private static final LockName NAME = new LockName("uncontended");
  private static final ProcessIdentity PROCESS = ProcessIdentity.ofThisProcess();

  /** So long that nobody finds it lapsed, and nobody is there to look. */
  private static final Duration TTL = Duration.ofMinutes(1);

  private final LockBackend backend;
  private final Connection connection;
  private final SessionId session;
  private final Prepared grab;
  private final Prepared release;
  private long serial;

  private record Prepared(PreparedStatement statement, List<String> parameters) {

    static Prepared of(Connection connection, String text) throws SQLException {
      NamedSql sql = NamedSql.of(new SqliteDialect().render(text, "holdfast_"));
      return new Prepared(connection.prepareStatement(sql.jdbc()), sql.parameters());
    }

    long execute(Map<String, ?> values) throws SQLException {
      for (int i = 0; i < parameters.size(); i++) {
        statement.setObject(i + 1, values.get(parameters.get(i)));
      }
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException("It changed nothing.");
        }
        long first = row.getLong(1);
        // The statement is committed by the step that finds no further row.
        boolean more = row.next();
        assert !more;
        return first;
      }
    }
  }

  private BareStatements(LockBackend backend, Connection connection, SessionId session)
      throws SQLException {
    this.backend = backend;
    this.connection = connection;
    this.session = session;
    SqliteDialect dialect = new SqliteDialect();
    this.grab = Prepared.of(connection, dialect.grab());
    this.release = Prepared.of(connection, dialect.release());
  }

  /** Makes a lock file with one session, through the adapter, and connects to it past that. */
  public static BareStatements connect(Path path) throws SQLException {
    Deadline deadline = Deadline.in(Duration.ofSeconds(20));
    LockBackend backend =
        new JdbcLockProvider().connect(SqliteFile.SCHEME + path, BackendOptions.DEFAULTS, deadline);
    SessionId session = SessionId.fresh();
    backend.open(new SessionSpec(session, TTL, 0, PROCESS), deadline);
    SQLiteConfig config = new SQLiteConfig();
    config.setSynchronous(SynchronousMode.NORMAL);
    return new BareStatements(backend, config.createConnection(SqliteFile.SCHEME + path), session);
  }

  /** Takes the lock, as a new request each time; returns the number of the grant. */
  public long grab() throws SQLException {
    Request request =
        new Request(
            NAME,
            new RequestId(session, ++serial),
            LockMode.EXCLUSIVE,
            IfHeld.QUEUE,
            PROCESS,
            "",
            Payload.EMPTY);
    return grab.execute(
        Map.of(
            "name", NAME.bytes(),
            "session", session.value(),
            "mark", QueueText.mark(request.id()),
            "entry", QueueText.entry(request),
            "join", 1,
            "cap", Queues.QUEUE_MAX,
            "waiters", Integer.MAX_VALUE));
  }

  /** Gives back what was taken last. */
  public void release() throws SQLException {
    release.execute(
        Map.of("name", NAME.bytes(), "mark", QueueText.mark(new RequestId(session, serial))));
  }

  @Override
  public void close() throws SQLException {
    connection.close();
    backend.close();
  }
}
