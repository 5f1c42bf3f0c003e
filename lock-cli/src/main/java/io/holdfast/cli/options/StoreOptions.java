package io.holdfast.cli.options;

import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.output.Messages;
import io.holdfast.cli.store.BackendChoice;
import io.holdfast.cli.store.NamedStore;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that choose the store of a subcommand. */
public final class StoreOptions {

  @Option(
      names = {"-b", "--backend"},
      paramLabel = "URI",
      description = {
        "The store that keeps the locks, such as jdbc:sqlite:FILE.",
        "Every user of this machine can read it in the list of processes: give a URI with a password"
            + " by $HOLDFAST_BACKEND or --backend-file instead.",
        "Default: $HOLDFAST_BACKEND, else /var/lib/holdfast/locks.db if you may write there, else a"
            + " file of your own."
      })
  private @Nullable String backend;

  @Option(
      names = "--backend-file",
      paramLabel = "FILE",
      description = "A file whose first line is the URI of the store.")
  private @Nullable Path backendFile;

  private @Nullable NamedStore named;

  /** Returns the store that the options name; the same one for each call. */
  public NamedStore named() {
    NamedStore store = named;
    if (store == null) {
      store = new NamedStore(backend, backendFile);
      named = store;
    }
    return store;
  }

  /** Connects to the chosen store and prints which one it is. */
  public LockClient connect(
      Surroundings surroundings, Messages messages, Consumer<LockEvent> listener) {
    return named().connect(surroundings, messages, listener);
  }

  /** Returns the chosen store, without connecting to it. */
  public BackendChoice choice(Surroundings surroundings) {
    return named().choice(surroundings);
  }
}
