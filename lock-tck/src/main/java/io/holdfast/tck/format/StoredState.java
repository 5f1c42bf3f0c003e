package io.holdfast.tck.format;

import io.holdfast.LockName;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import java.util.List;
import java.util.Map;

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

  @Override
  void close() throws Exception;
}
