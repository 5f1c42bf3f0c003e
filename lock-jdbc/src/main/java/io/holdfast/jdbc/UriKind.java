package io.holdfast.jdbc;

import io.holdfast.BackendUnusableException;
import io.holdfast.BadRequestException;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A kind of URI that is understood.
 *
 * @param scheme what it begins with
 * @param rest what follows, as a pattern for people
 * @param driver the jar that brings its driver
 * @param dialect the statements of its database
 * @param connecting connects to the database
 */
record UriKind(
    String scheme, String rest, String driver, Supplier<Dialect> dialect, Connecting connecting) {

  private static final String JDBC = "jdbc:";
  private static final String ON_A_SERVER = "//HOST/DATABASE";
  private static final String MARIA_DRIVER = "org.mariadb.jdbc:mariadb-java-client";

  /** All of them. */
  static final List<UriKind> ALL =
      List.of(
          new UriKind(
              SqliteFile.SCHEME,
              "FILE",
              "org.xerial:sqlite-jdbc",
              SqliteDialect::new,
              UriKind::sqlite),
          new UriKind(
              PostgresSource.SCHEME,
              ON_A_SERVER,
              "org.postgresql:postgresql",
              PostgresDialect::new,
              UriKind::postgres),
          new UriKind(
              MariaSource.SCHEME, ON_A_SERVER, MARIA_DRIVER, MariaDialect::new, UriKind::maria),
          new UriKind(
              MariaSource.MYSQL_SCHEME,
              ON_A_SERVER,
              MARIA_DRIVER,
              MariaDialect::new,
              UriKind::maria),
          new UriKind(
              H2Uri.SCHEME,
              "async:FILE;AUTO_SERVER=TRUE",
              "com.h2database:h2",
              H2Dialect::new,
              UriKind::h2));

  /** Connects to a database. */
  @FunctionalInterface
  interface Connecting {
    LockBackend connect(JdbcUri uri, BackendOptions options, Deadline deadline);
  }

  private static LockBackend sqlite(JdbcUri uri, BackendOptions options, Deadline deadline) {
    if (!uri.pools().equals(PoolSettings.standard())) {
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
    return ALL.stream().filter(kind -> full.startsWith(kind.scheme)).findFirst();
  }

  /** Returns the URI as drivers want it: a backend is shown without the {@code jdbc:} in front. */
  static String withJdbc(String uri) {
    return uri.toLowerCase(Locale.ROOT).startsWith(JDBC) ? uri : JDBC + uri;
  }

  /** Returns the pattern of its URIs, for people. */
  String form() {
    return scheme + rest;
  }

  LockBackend connect(JdbcUri uri, BackendOptions options, Deadline deadline) {
    try {
      return connecting.connect(uri, options, deadline);
    } catch (NoClassDefFoundError e) {
      throw new BackendUnusableException(
          "The driver for %s is not on the class path: add the jar of %s."
              .formatted(form(), driver),
          e);
    }
  }
}
