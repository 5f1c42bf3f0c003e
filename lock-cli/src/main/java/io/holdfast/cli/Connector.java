package io.holdfast.cli;

import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import java.util.function.Consumer;

/** Connects to the store that a URI names. */
@FunctionalInterface
interface Connector {

  /** Connects through the adapter on the class path. */
  Connector REAL =
      (uri, listener) ->
          Holdfast.builder()
              .processIdentity(Identity.ofThisProcess())
              .listener(listener)
              .connect(uri);

  /** Connects; the listener is told of the client's events. */
  LockClient connect(String uri, Consumer<LockEvent> listener);
}
