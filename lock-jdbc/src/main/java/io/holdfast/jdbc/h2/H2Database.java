package io.holdfast.jdbc.h2;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.connections.DeadlineTimer;
import io.holdfast.jdbc.connections.NamedSql;
import io.holdfast.jdbc.connections.RestorableConnection;
import io.holdfast.jdbc.database.ChangeSource;
import io.holdfast.jdbc.database.Exclusion;
import io.holdfast.jdbc.database.Machine;
import io.holdfast.jdbc.database.QueueTextDatabase;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.jdbc.database.ServerDatabase;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.database.TablePrefix;
import io.holdfast.jdbc.database.Tables;
import io.holdfast.jdbc.file.FileEvents;
import io.holdfast.jdbc.h2.H2Uri.Kind;
import io.holdfast.spi.BackendFailure.Effect;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Set;
import org.h2.api.ErrorCode;
import org.h2.engine.SessionRemote;
import org.h2.jdbc.JdbcConnection;

/** One H2 database: in a file, behind a server, or in the memory of this JVM. */
public final class H2Database extends ServerDatabase implements QueueTextDatabase {

  private static final int MAJOR_MIN = 2;
  private static final int MINOR_MIN = 3;

  private final Kind kind;
  private final H2Dialect dialect = new H2Dialect();
  private final H2Tables tables;

  /**
   * Makes one.
   *
   * @throws io.holdfast.error.BadRequestException if the prefix names a schema
   */
  public H2Database(H2Uri uri, ServerSettings settings) {
    super(nameOf(uri), settings, new H2Source(uri), DeadlineTimer.NONE);
    TablePrefix.requireSchemaInUri(settings.prefix());
    this.kind = uri.kind();
    this.tables = new H2Tables(this, new Tables(this, settings.prefix()));
  }

  private static String nameOf(H2Uri uri) {
    return "h2:" + uri.name();
  }

  @Override
  public QueueTextDialect dialect() {
    return dialect;
  }

  /** The processes of the machine write to one file; what a server writes to is not known here. */
  @Override
  public Optional<ChangeSource> changes() {
    return kind == Kind.FILE && FileEvents.areTold()
        ? Optional.of(own -> H2Watch.of(own, this))
        : Optional.empty();
  }

  @Override
  protected NamedSql named(String text) {
    return NamedSql.numbered(text);
  }

  @Override
  public boolean isHarmless(SQLException e) {
    return H2Errors.isHarmless(e);
  }

  @Override
  public boolean isDuplicateKey(SQLException e) {
    return H2Errors.isDuplicate(e);
  }

  @Override
  public Set<String> tablesThere(DatabaseConnection connection) throws SQLException {
    return tables.there(connection.jdbc());
  }

  @Override
  public Exclusion exclusion() {
    return new H2Exclusion(render("{sessions}"));
  }

  /**
   * It does so when it has connected again by itself, as AUTO_RECONNECT and AUTO_SERVER have it.
   */
  @Override
  public void requireSentOnce(Connection connection) throws SQLException {
    if (connection instanceof JdbcConnection own
        && own.getSession() instanceof SessionRemote remote
        && remote.getLastReconnect() > 0) {
      throw new SQLException(
          "The driver has connected again by itself, and may have sent the statement twice.",
          "",
          ErrorCode.CONNECTION_BROKEN_1);
    }
  }

  /** A thread that is interrupted inside it closes its file, or ends its store, for all. */
  @Override
  protected boolean isHarmedByInterrupts() {
    return kind != Kind.SERVER;
  }

  @Override
  protected boolean isBroken(SQLException e) {
    return H2Errors.isBroken(e);
  }

  @Override
  protected RuntimeException failure(SQLException e, Effect before, Effect broken) {
    return H2Errors.failure(describe(), e, before, broken);
  }

  @Override
  protected Server prepare(RestorableConnection taken, TableCheck there) throws SQLException {
    Connection connection = taken.jdbc();
    switch (there) {
      case MAKE_OR_CHECK -> {
        requireVersion(connection.getMetaData());
        tables.require(connection, kind);
      }
      case FORMER -> {
        requireVersion(connection.getMetaData());
        tables.prepareFormer(connection, kind);
      }
      case TRUST -> tables.requireWritesAtOnce(connection, kind);
    }
    return new Server(incarnation(), kind.name());
  }

  /**
   * The boot of a server's machine cannot be told from here. Its clock is trusted to go on
   * meanwhile, as the clocks of machines do.
   */
  private String incarnation() {
    return kind == Kind.FILE ? Machine.BOOT_ID : kind.name();
  }

  private void requireVersion(DatabaseMetaData data) throws SQLException {
    int major = data.getDatabaseMajorVersion();
    int minor = data.getDatabaseMinorVersion();
    if (major < MAJOR_MIN || (major == MAJOR_MIN && minor < MINOR_MIN)) {
      throw new BackendUnusableException(
          "%s is H2 %s.%s, and %s.%s is the least that will do."
              .formatted(describe(), major, minor, MAJOR_MIN, MINOR_MIN));
    }
  }
}
