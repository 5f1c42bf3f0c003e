package io.holdfast.jdbc.connections;

import io.holdfast.spi.Deadline;
import java.sql.SQLException;

/** Where the connections to one database come from. */
public interface ConnectionSource extends AutoCloseable {

  /**
   * Returns a connection for our use until we give it back. Called on a thread of {@link
   * BackendThreads}. May overrun the deadline if the driver or pool has its own timeouts.
   */
  RestorableConnection take(Deadline deadline) throws SQLException;

  /** Closes what this source has created, but nothing that the application owns. */
  @Override
  default void close() {}
}
