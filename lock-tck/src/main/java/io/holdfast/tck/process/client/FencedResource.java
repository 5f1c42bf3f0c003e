package io.holdfast.tck.process.client;

import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.error.StaleTokenException;
import java.time.Duration;

/**
 * A resource of an application behind a lock, at a place that other processes reach too. It refuses
 * those whose lock has passed on. Has a constructor whose only parameter is the place, a text.
 */
public interface FencedResource extends AutoCloseable {

  /** Returns a client of the store of its lock, whose sessions have that TTL. */
  LockClient locks(Duration ttl);

  /** Returns how the holder of a grant writes, also after it has lost the grant. */
  Writer writer(Grant grant);

  /** Returns what was written last. */
  String read() throws Exception;

  /** How a holder writes. */
  @FunctionalInterface
  interface Writer {
    /**
     * Replaces the present value.
     *
     * @throws StaleTokenException if the resource refuses that because the lock has passed on
     */
    void write(String value) throws Exception;
  }

  /** Opens the resource of a class. */
  static FencedResource open(Class<? extends FencedResource> type, String place)
      throws ReflectiveOperationException {
    var constructor = type.getDeclaredConstructor(String.class);
    constructor.setAccessible(true);
    return constructor.newInstance(place);
  }
}
