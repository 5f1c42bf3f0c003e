package io.holdfast.jdbc;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.connections.BorrowingSource.Product;
import io.holdfast.jdbc.connections.ConnectionSource;
import io.holdfast.jdbc.connections.DeadlineTimer;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.mariadb.MariaDatabase;
import io.holdfast.jdbc.postgres.PostgresDatabase;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A kind of database whose connections may come from an application.
 *
 * @param product its name as its driver reports it
 * @param maker makes a database of this kind
 */
record ServerKind(String product, Maker maker) {

  private static final List<ServerKind> ALL =
      List.of(
          new ServerKind("PostgreSQL", PostgresDatabase::new),
          new ServerKind("MariaDB", MariaDatabase::new),
          new ServerKind("MySQL", MariaDatabase::new));

  /** Makes a database. */
  @FunctionalInterface
  interface Maker {
    LockDatabase make(
        String name, ServerSettings settings, ConnectionSource source, DeadlineTimer timer);
  }

  /**
   * Returns the kind of the database to which a data source connects.
   *
   * @throws BackendUnusableException if this adapter cannot keep locks in such a database
   */
  static ServerKind of(Product product) {
    return ALL.stream()
        .filter(kind -> kind.product.equals(product.kind()))
        .findFirst()
        .orElseThrow(() -> new BackendUnusableException(message(product)));
  }

  private static String message(Product product) {
    String products = ALL.stream().map(ServerKind::product).collect(Collectors.joining(", "));
    return "The application's DataSource leads to %s (%s), and locks can be kept over a DataSource in %s. %s"
        .formatted(product.kind(), product.name(), products, remedy(product));
  }

  private static String remedy(Product product) {
    return product.kind().equals("SQLite")
        ? "Name the file in a URI instead: jdbc:sqlite:FILE."
        : "Use one of these, or another store.";
  }
}
