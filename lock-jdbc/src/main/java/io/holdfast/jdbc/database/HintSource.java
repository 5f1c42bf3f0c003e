package io.holdfast.jdbc.database;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;
import io.holdfast.spi.RequestKey;

/** Sends hints to the sessions that wait, in a database that supports this. */
public interface HintSource extends AutoCloseable {

  /** See {@link io.holdfast.spi.LockBackend#listen}. */
  AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline);

  /** A request of this client has joined a queue, or was seen to wait in one. */
  default void waits(RequestKey request) {}

  /** A request of this client is known to wait no more. */
  default void waitsNoMore(RequestKey request) {}

  /**
   * This client has changed the queue of a lock so that a request may hold now, or may have to wait
   * for another time than before.
   */
  default void changed(LockName name, Deadline deadline) {}

  /** Sends no more hints. */
  @Override
  void close();
}
