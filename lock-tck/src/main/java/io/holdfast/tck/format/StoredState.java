package io.holdfast.tck.format;

import io.holdfast.LockName;
import io.holdfast.record.Retirement;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One namespace of a store for one test, with a way to its records past the adapter: by the store's
 * own driver.
 */
public interface StoredState extends AutoCloseable {

  /** Connects to the namespace through the adapter. The test closes the connection. */
  LockBackend connect(BackendOptions options);

  /** Reads all records of the namespace, in an order that every run shares. */
  List<StoredRecord> read();

  /** Returns which values of the records differ from run to run. */
  List<Placeholder> placeholders();

  /** Removes all records of the namespace, with its tables if it has any. */
  void clear();

  /**
   * Puts records into the namespace, which is empty: nothing of it is there, no tables either.
   *
   * @param records of any protocol version, in the order in which they were {@linkplain #read read}
   * @param values what their placeholders stand for. A store that cannot take a value of another
   *     run, such as an id that its server gives out, puts its own in its place
   */
  void write(List<StoredRecord> records, Map<String, String> values);

  /** Returns the number of a lock's current grant, computed from its records. */
  long number(LockName name);

  /**
   * Retires the namespace through the adapter's provider; empty if the adapter cannot do that.
   *
   * @see io.holdfast.spi.LockProvider#retire
   */
  default Optional<Retirement> retire() {
    return Optional.empty();
  }

  /**
   * Lets the time of all sessions have passed long ago, past the adapter, so that none lives. Only
   * called if {@link #retire} is supported.
   */
  default void lapseSessions() {
    throw new UnsupportedOperationException("A state that can be retired lets sessions lapse.");
  }

  /**
   * Opens a session, and if it must takes a free lock in it, as a client of an older version does
   * that has read the namespace before the test began: past the adapter. Called while another
   * thread retires the namespace; only if {@link #retire} is supported.
   *
   * @param version the older version
   * @return whether the client may now believe that it holds the lock, or could take it
   */
  default boolean openAsOlderClient(int version) {
    throw new UnsupportedOperationException("A state that can be retired opens sessions.");
  }

  @Override
  void close() throws Exception;
}
