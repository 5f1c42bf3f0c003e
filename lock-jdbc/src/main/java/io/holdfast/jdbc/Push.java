package io.holdfast.jdbc;

import io.holdfast.SessionId;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.HintListener;

/** What tells sessions that it may be their turn, in a database that can. */
interface Push extends AutoCloseable {

  /** See {@link io.holdfast.spi.LockBackend#listen}. */
  AutoCloseable listen(SessionId session, HintListener listener, Deadline deadline);

  /** Tells nobody any more. */
  @Override
  void close();
}
