package io.holdfast.jdbc.h2;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.connections.ConnectionSource;
import io.holdfast.jdbc.connections.RestorableConnection;
import io.holdfast.jdbc.h2.H2Uri.Kind;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.h2.Driver;
import org.h2.api.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * Connects to the H2 database that a URI names.
 *
 * <p>H2's connections cannot be broken off, so that nothing ends a call at its deadline. Limits
 * that a connection has from the beginning bound it.
 */
final class H2Source implements ConnectionSource {

  /** How long a statement waits for a row that another client keeps locked. */
  private static final String LOCK_TIMEOUT_MILLIS = "1000";

  /** How long a server may be silent. */
  private static final String NETWORK_TIMEOUT_MILLIS = "3000";

  private static final int RETRY_MILLIS = 20;

  /** So early it gives up, that the caller that waits is told why. */
  private static final Duration TELLING = Duration.ofSeconds(1);

  private final H2Uri uri;
  private volatile WriteDelay writeDelay;
  private volatile boolean closed;

  /** Whether a connection brings along that nothing is written later than it is answered. */
  private enum WriteDelay {
    /**
     * A client that opens the database by it opens it so. That may be the driver, which connects
     * again by itself when the process has ended that had the file open.
     */
    NONE,
    /** The user may not say so. */
    AS_IT_IS
  }

  H2Source(H2Uri uri) {
    this.uri = uri;
    boolean isWritten = uri.kind() != Kind.MEMORY && !uri.has("WRITE_DELAY");
    this.writeDelay = isWritten ? WriteDelay.NONE : WriteDelay.AS_IT_IS;
  }

  /**
   * Tries again while another client changes the database as a whole, or another process opens the
   * file, which it serves a moment later.
   */
  @Override
  public RestorableConnection take(Deadline deadline) throws SQLException {
    while (true) {
      try {
        return logIn();
      } catch (SQLException e) {
        if (closed || !mayPass(e) || deadline.remaining().compareTo(TELLING) < 0) {
          if (H2Errors.isAlone(e)) {
            throw alone(e);
          }
          throw e;
        }
      }
      rest();
    }
  }

  private boolean mayPass(SQLException e) {
    return H2Errors.isHarmless(e)
        || (uri.isShared() && (H2Errors.isAlone(e) || H2Errors.isBeingOpened(e)));
  }

  private RuntimeException alone(SQLException e) {
    String message =
        "h2:%s is in use by another process that keeps it to itself. Put AUTO_SERVER=TRUE into the URI of every process, or use H2's server."
            .formatted(uri.name());
    return uri.isShared()
        ? new BackendFailure(Effect.NONE, message, e)
        : new BackendUnusableException(message, e);
  }

  private static void rest() throws SQLException {
    try {
      Thread.sleep(RETRY_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SQLException("Interrupted while connecting.", e);
    }
  }

  /** No interrupt ends a login: one under way tries no more. */
  @Override
  public void close() {
    closed = true;
  }

  private RestorableConnection logIn() throws SQLException {
    if (writeDelay == WriteDelay.NONE) {
      try {
        return connect(WriteDelay.NONE);
      } catch (SQLException e) {
        if (e.getErrorCode() != ErrorCode.ADMIN_RIGHTS_REQUIRED) {
          throw e;
        }
        // H2 records each such login as an error.
        writeDelay = WriteDelay.AS_IT_IS;
      }
    }
    return connect(WriteDelay.AS_IT_IS);
  }

  private RestorableConnection connect(WriteDelay delay) throws SQLException {
    Properties properties = new Properties();
    if (!uri.has("USER")) {
      properties.setProperty("user", "sa");
    }
    if (!uri.has("LOCK_TIMEOUT")) {
      properties.setProperty("LOCK_TIMEOUT", LOCK_TIMEOUT_MILLIS);
    }
    if (!uri.has("NETWORK_TIMEOUT")) {
      properties.setProperty("NETWORK_TIMEOUT", NETWORK_TIMEOUT_MILLIS);
    }
    if (delay == WriteDelay.NONE) {
      properties.setProperty("WRITE_DELAY", "0");
    }
    @Nullable Connection connection = new Driver().connect(uri.text(), properties);
    if (connection == null) {
      throw new BadRequestException(
          "H2's driver does not take the URI of %s.".formatted(uri.name()));
    }
    return RestorableConnection.ours(connection);
  }
}
