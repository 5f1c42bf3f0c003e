package io.holdfast.jdbc.database;

import io.holdfast.SessionId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;

/** Sends hints to the sessions that wait, in a database that supports this. */
public interface HintSource extends AutoCloseable {

  /** See {@link io.holdfast.spi.LockBackend#listen}. */
  AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline);

  /** Sends no more hints. */
  @Override
  void close();
}
