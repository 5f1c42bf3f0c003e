package io.holdfast.engine;

import io.holdfast.LockClient;
import io.holdfast.spi.LockBackend;

/** Stub. */
public abstract class EngineClient implements LockClient {
  private EngineClient() {}

  /** Stub. */
  @SuppressWarnings("DoNotCallSuggester")
  public static LockClient owning(LockBackend backend, EngineSettings settings) {
    throw new UnsupportedOperationException(backend.describe() + settings);
  }
}
