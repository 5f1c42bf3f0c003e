package io.holdfast.cli;

import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which store a subcommand works on. */
final class StoreOptions {

  @Option(
      names = {"-b", "--backend"},
      paramLabel = "URI",
      description = {
        "The store that keeps the locks, such as jdbc:sqlite:FILE.",
        "Default: $HOLDFAST_BACKEND, else /var/lib/holdfast/locks.db if you may write there, else a"
            + " file of your own."
      })
  private @Nullable String backend;

  /** Connects, and says to what. */
  LockClient connect(Surroundings surroundings, Messages messages, Consumer<LockEvent> listener) {
    BackendChoice choice = choice(surroundings);
    choice.prepare();
    LockClient client = surroundings.connector().connect(choice.uri(), listener);
    messages.note("using " + client.backend() + " (" + choice.source() + ")");
    return client;
  }

  /** Returns which store it is, without touching it. */
  BackendChoice choice(Surroundings surroundings) {
    return BackendChoice.of(backend, surroundings);
  }
}
