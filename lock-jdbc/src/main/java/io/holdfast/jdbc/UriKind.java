package io.holdfast.jdbc;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.connections.BackendThreads;
import io.holdfast.jdbc.connections.DatabaseName;
import io.holdfast.jdbc.connections.DeadlineTimer;
import io.holdfast.jdbc.database.Dialect;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.database.TablePrefix;
import io.holdfast.jdbc.h2.H2Database;
import io.holdfast.jdbc.h2.H2Dialect;
import io.holdfast.jdbc.h2.H2Uri;
import io.holdfast.jdbc.mariadb.MariaDatabase;
import io.holdfast.jdbc.mariadb.MariaDialect;
import io.holdfast.jdbc.mariadb.MariaSource;
import io.holdfast.jdbc.pools.PoolParameters;
import io.holdfast.jdbc.postgres.PostgresDatabase;
import io.holdfast.jdbc.postgres.PostgresDialect;
import io.holdfast.jdbc.postgres.PostgresSource;
import io.holdfast.jdbc.sqlite.SqliteDatabase;
import io.holdfast.jdbc.sqlite.SqliteDialect;
import io.holdfast.jdbc.sqlite.SqliteFile;
import io.holdfast.jdbc.sqlite.SqliteSettings;
import io.holdfast.record.Retirement;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A kind of URI that this adapter accepts. A new kind of database is added here.
 *
 * <p>All that belongs to a kind stands in a {@code switch}, not in lambda expressions: each of
 * those takes a JVM a part of a millisecond at every start, for any kind.
 */
enum UriKind {
  SQLITE(SqliteFile.SCHEME, "FILE", "org.xerial:sqlite-jdbc"),
  POSTGRES(PostgresSource.SCHEME, Names.ON_A_SERVER, "org.postgresql:postgresql"),
  MARIA(MariaSource.SCHEME, Names.ON_A_SERVER, Names.MARIA_DRIVER),
  MYSQL(MariaSource.MYSQL_SCHEME, Names.ON_A_SERVER, Names.MARIA_DRIVER),
  H2(H2Uri.SCHEME, "async:FILE;AUTO_SERVER=TRUE", "com.h2database:h2");

  private static final String JDBC = "jdbc:";

  /** All of them. */
  static final List<UriKind> ALL = List.of(values());

  private final String scheme;
  private final String rest;
  private final String driver;

  /**
   * A kind of URI.
   *
   * @param scheme the beginning of the URI
   * @param rest the rest of the URI, as a pattern for readers
   * @param driver the jar that brings its driver
   */
  UriKind(String scheme, String rest, String driver) {
    this.scheme = scheme;
    this.rest = rest;
    this.driver = driver;
  }

  private static final class Names {
    static final String ON_A_SERVER = "//HOST/DATABASE";
    static final String MARIA_DRIVER = "org.mariadb.jdbc:mariadb-java-client";
  }

  /** Returns the statements of its database. */
  Dialect dialect() {
    return switch (this) {
      case SQLITE -> new SqliteDialect();
      case POSTGRES -> new PostgresDialect();
      case MARIA, MYSQL -> new MariaDialect();
      case H2 -> new H2Dialect();
    };
  }

  private static LockBackend sqlite(JdbcUri uri, BackendOptions options, Deadline deadline) {
    if (!uri.pools().isStandard()) {
      throw new BadRequestException(
          "A lock file in SQLite has two connections and no pool of them: leave %s out."
              .formatted(String.join(", ", PoolParameters.NAMES)));
    }
    SqliteSettings settings = SqliteSettings.standard().prefix(uri.tablePrefix());
    return JdbcLockBackend.sqlite(SqliteFile.ofUri(uri.driver()), settings, options, deadline);
  }

  private static LockBackend postgres(JdbcUri uri, BackendOptions options, Deadline deadline) {
    return JdbcLockBackend.postgres(uri.driver(), settings(uri), options, deadline);
  }

  private static LockBackend maria(JdbcUri uri, BackendOptions options, Deadline deadline) {
    return JdbcLockBackend.maria(uri.driver(), settings(uri), options, deadline);
  }

  private static LockBackend h2(JdbcUri uri, BackendOptions options, Deadline deadline) {
    return JdbcLockBackend.h2(new H2Uri(uri.driver()), settings(uri), options, deadline);
  }

  static ServerSettings settings(JdbcUri uri) {
    return ServerSettings.standard().prefix(uri.tablePrefix()).pools(uri.pools());
  }

  /** Returns the kind of a URI, well-formed or not. */
  static Optional<UriKind> find(String uri) {
    String full = withJdbc(uri).toLowerCase(Locale.ROOT);
    for (UriKind kind : ALL) {
      if (full.startsWith(kind.scheme)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the URI as drivers expect it: messages show a backend without the leading {@code
   * jdbc:}.
   */
  static String withJdbc(String uri) {
    return uri.toLowerCase(Locale.ROOT).startsWith(JDBC) ? uri : JDBC + uri;
  }

  /** Returns the pattern of its URIs, for readers. */
  String form() {
    return scheme + rest;
  }

  LockBackend connect(JdbcUri uri, BackendOptions options, Deadline deadline) {
    try {
      return switch (this) {
        case SQLITE -> sqlite(uri, options, deadline);
        case POSTGRES -> postgres(uri, options, deadline);
        case MARIA, MYSQL -> maria(uri, options, deadline);
        case H2 -> h2(uri, options, deadline);
      };
    } catch (NoClassDefFoundError e) {
      throw withoutDriver(e);
    }
  }

  /** Retires the tables of an older layout where the URI leads. */
  Retirement retire(JdbcUri uri, Deadline deadline) {
    try (BackendThreads threads = new BackendThreads()) {
      return JdbcRetirement.retire(database(uri, threads), threads, deadline);
    } catch (NoClassDefFoundError e) {
      throw withoutDriver(e);
    }
  }

  private LockDatabase database(JdbcUri uri, DeadlineTimer timer) {
    String url = uri.driver();
    return switch (this) {
      case SQLITE -> {
        TablePrefix.requireNoSchema(uri.tablePrefix());
        yield new SqliteDatabase(
            SqliteFile.ofUri(url), SqliteSettings.standard().prefix(uri.tablePrefix()));
      }
      case POSTGRES ->
          new PostgresDatabase(
              DatabaseName.ofUrl(url), settings(uri), new PostgresSource(url), timer);
      case MARIA, MYSQL ->
          new MariaDatabase(DatabaseName.ofUrl(url), settings(uri), new MariaSource(url), timer);
      case H2 -> new H2Database(new H2Uri(url), settings(uri));
    };
  }

  private BackendUnusableException withoutDriver(NoClassDefFoundError e) {
    return new BackendUnusableException(
        "The driver for %s is not on the class path: add the jar of %s.".formatted(form(), driver),
        e);
  }
}
