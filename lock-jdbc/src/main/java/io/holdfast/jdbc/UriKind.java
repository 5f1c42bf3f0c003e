package io.holdfast.jdbc;

import io.holdfast.BackendUnusableException;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/** The URIs that are understood, each with its database and the jar that brings its driver. */
enum UriKind {
  SQLITE(
      SqliteFile.SCHEME,
      "FILE",
      "org.xerial:sqlite-jdbc",
      SqliteDialect::new,
      (uri, options, deadline) ->
          JdbcLockBackend.sqlite(
              SqliteFile.ofUri(uri.driver()),
              SqliteSettings.standard().prefix(uri.tablePrefix()),
              options,
              deadline)),
  POSTGRESQL(
      PostgresSource.SCHEME,
      "//HOST/DATABASE",
      "org.postgresql:postgresql",
      PostgresDialect::new,
      (uri, options, deadline) ->
          JdbcLockBackend.postgres(uri.driver(), server(uri), options, deadline)),
  MARIADB(
      MariaSource.SCHEME,
      "//HOST/DATABASE",
      "org.mariadb.jdbc:mariadb-java-client",
      MariaDialect::new,
      UriKind::maria),
  MYSQL(
      MariaSource.MYSQL_SCHEME,
      "//HOST/DATABASE",
      "org.mariadb.jdbc:mariadb-java-client",
      MariaDialect::new,
      UriKind::maria),
  H2(
      H2Uri.SCHEME,
      "async:FILE;AUTO_SERVER=TRUE",
      "com.h2database:h2",
      H2Dialect::new,
      (uri, options, deadline) ->
          JdbcLockBackend.h2(new H2Uri(uri.driver()), server(uri), options, deadline));

  private final String scheme;
  private final String rest;
  private final String driver;
  private final Supplier<Dialect> dialect;
  private final Connecting connecting;

  private interface Connecting {
    LockBackend connect(JdbcUri uri, BackendOptions options, Deadline deadline);
  }

  UriKind(
      String scheme,
      String rest,
      String driver,
      Supplier<Dialect> dialect,
      Connecting connecting) {
    this.scheme = scheme;
    this.rest = rest;
    this.driver = driver;
    this.dialect = dialect;
    this.connecting = connecting;
  }

  private static LockBackend maria(JdbcUri uri, BackendOptions options, Deadline deadline) {
    return JdbcLockBackend.maria(uri.driver(), server(uri), options, deadline);
  }

  private static ServerSettings server(JdbcUri uri) {
    return ServerSettings.standard().prefix(uri.tablePrefix());
  }

  /** Returns the kind of a URI, well-formed or not. */
  static Optional<UriKind> find(String uri) {
    return Arrays.stream(values())
        .filter(kind -> uri.toLowerCase(Locale.ROOT).startsWith(kind.scheme))
        .findFirst();
  }

  /** Returns the pattern of its URIs, for people. */
  String form() {
    return scheme + rest;
  }

  Dialect dialect() {
    return dialect.get();
  }

  LockBackend connect(JdbcUri uri, BackendOptions options, Deadline deadline) {
    try {
      return connecting.connect(uri, options, deadline);
    } catch (NoClassDefFoundError e) {
      throw new BackendUnusableException(
          "The driver for %s is not on the class path: add the jar of %s.".formatted(form(), driver),
          e);
    }
  }
}
