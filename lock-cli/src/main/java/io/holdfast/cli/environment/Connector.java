package io.holdfast.cli.environment;

import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.cli.adapters.ListedAdapters;
import io.holdfast.record.Retirement;
import java.util.function.Consumer;

/** Connects to the store that a URI names. */
@FunctionalInterface
public interface Connector {

  /** Connects through the adapter on the class path. */
  Connector REAL =
      (uri, listener) ->
          ListedAdapters.with(
              () ->
                  Holdfast.builder()
                      .processIdentity(Identity.ofThisProcess())
                      .listener(listener)
                      .connect(uri));

  /** Connects; the listener is called for each of the client's events. */
  LockClient connect(String uri, Consumer<LockEvent> listener);

  /** Removes what an older version has stored there, through the adapter on the class path. */
  default Retirement retire(String uri) {
    return ListedAdapters.with(() -> Holdfast.retire(uri));
  }
}
