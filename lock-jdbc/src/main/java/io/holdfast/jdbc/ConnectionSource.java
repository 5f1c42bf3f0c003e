package io.holdfast.jdbc;

import io.holdfast.spi.Deadline;
import java.sql.SQLException;

/** Where the connections to one database come from. */
interface ConnectionSource extends AutoCloseable {

  /**
   * Returns a connection that is ours until we let go of it. Called on a thread of ours; may
   * overrun the deadline where what gives the connection has timeouts of its own.
   */
  Taken take(Deadline deadline) throws SQLException;

  /** Closes what was made to get connections, but not what belongs to others. */
  @Override
  default void close() {}
}
