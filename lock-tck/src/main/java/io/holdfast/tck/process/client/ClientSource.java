package io.holdfast.tck.process.client;

import io.holdfast.LockClient;

/**
 * Makes the clients of a child JVM, where the test's own objects do not exist. Has a constructor
 * without parameters.
 */
@FunctionalInterface
public interface ClientSource {

  /** Connects to the store that the URI names. */
  LockClient connect(String uri, ClientSettings settings);

  /** Connects as an application does: through the one adapter on the class path. */
  final class ByUri implements ClientSource {
    @Override
    public LockClient connect(String uri, ClientSettings settings) {
      return settings.builder().connect(uri);
    }
  }
}
