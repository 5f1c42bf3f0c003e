package io.holdfast.cli;

import io.holdfast.BadRequestException;
import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import java.nio.file.Path;
import java.util.Optional;
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
        "Everybody on this machine can read it in the list of processes: give a password with"
            + " $HOLDFAST_BACKEND or --backend-file instead.",
        "Default: $HOLDFAST_BACKEND, else /var/lib/holdfast/locks.db if you may write there, else a"
            + " file of your own."
      })
  private @Nullable String backend;

  @Option(
      names = "--backend-file",
      paramLabel = "FILE",
      description = "A file whose first line is the URI of the store.")
  private @Nullable Path backendFile;

  private @Nullable String place;

  /** Connects, and says to what. */
  LockClient connect(Surroundings surroundings, Messages messages, Consumer<LockEvent> listener) {
    BackendChoice choice = choice(surroundings);
    // Until the store itself says what it is called: the URI may have a password.
    place = "the store " + choice.source();
    choice.prepare();
    LockClient client = surroundings.connector().connect(choice.uri(), listener);
    place = client.backend() + " (" + choice.source() + ")";
    messages.note("using " + place);
    return client;
  }

  /** Returns which store it is, without touching it. */
  BackendChoice choice(Surroundings surroundings) {
    if (backend != null && backendFile != null) {
      throw new BadRequestException("Give --backend or --backend-file, not both.");
    }
    return BackendChoice.of(backend, backendFile, surroundings);
  }

  /** Returns which store it is, for people; empty before it was chosen. */
  Optional<String> place() {
    return Optional.ofNullable(place);
  }
}
