package io.holdfast.jdbc.connections;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Borrows the connections of an application's {@link DataSource}. */
public final class BorrowingSource implements ConnectionSource {

  private final DataSource dataSource;

  /**
   * The database to which a data source connects.
   *
   * @param kind the name of the database's product
   * @param name the name of this database in messages
   */
  public record Product(String kind, String name) {}

  public BorrowingSource(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  @Override
  public RestorableConnection take(Deadline deadline) throws SQLException {
    return RestorableConnection.borrowed(borrow());
  }

  private Connection borrow() throws SQLException {
    Connection connection;
    try {
      connection = dataSource.getConnection();
    } catch (SQLException e) {
      // Pools tell with no state, or with that of a database that refused them.
      if (e.getSQLState() == null) {
        throw failure(e);
      }
      throw e;
    } catch (RuntimeException e) {
      throw failure(e);
    }
    return connection;
  }

  private static BackendFailure failure(Exception e) {
    return new BackendFailure(
        Effect.NONE,
        "The application's DataSource gave no connection: %s. Is its pool exhausted, closed, or not able to connect?"
            .formatted(e.getMessage()),
        e);
  }

  /** Asks a first connection to which database it leads. */
  public Product look(BackendThreads threads, Deadline deadline) {
    return BackendThreads.await(
        CompletableFuture.supplyAsync(this::look, threads),
        deadline,
        "a connection of the application's DataSource");
  }

  private Product look() {
    try (Connection connection = borrow()) {
      DatabaseMetaData about = connection.getMetaData();
      String product = about.getDatabaseProductName();
      @Nullable String url = about.getURL();
      return new Product(product, url == null ? product : DatabaseName.ofUrl(url));
    } catch (SQLException e) {
      if (e.getSQLState() != null && e.getSQLState().startsWith("28")) {
        throw new BackendUnusableException(
            "The database refused the login of the application's DataSource (%s). Check its user and password."
                .formatted(e.getMessage()),
            e);
      }
      throw failure(e);
    }
  }
}
