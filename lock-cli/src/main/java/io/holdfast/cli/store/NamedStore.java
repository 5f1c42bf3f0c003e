package io.holdfast.cli.store;

import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.output.Messages;
import io.holdfast.error.BadRequestException;
import io.holdfast.record.Retirement;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The store of one call of the command: as the user has named it, and under its own name once it is
 * connected. Not thread-safe.
 */
public final class NamedStore {

  private final @Nullable String backend;
  private final @Nullable Path backendFile;
  private @Nullable BackendChoice chosen;
  private @Nullable String place;

  public NamedStore(@Nullable String backend, @Nullable Path backendFile) {
    this.backend = backend;
    this.backendFile = backendFile;
  }

  /** Connects to the chosen store and prints which one it is. */
  public LockClient connect(
      Surroundings surroundings, Messages messages, Consumer<LockEvent> listener) {
    BackendChoice choice = chosen(surroundings);
    choice.prepare();
    LockClient client = surroundings.connector().connect(choice.uri(), listener);
    place = client.backend() + " (" + choice.source() + ")";
    messages.note("using " + place);
    return client;
  }

  /** Returns the chosen store for a question; from now on the choice stays. */
  public String shown(Surroundings surroundings) {
    return chosen(surroundings).shown();
  }

  /** Retires what an older version has stored in the chosen store. */
  public Retirement retire(Surroundings surroundings) {
    return surroundings.connector().retire(chosen(surroundings).uri());
  }

  private BackendChoice chosen(Surroundings surroundings) {
    BackendChoice choice = chosen;
    if (choice == null) {
      choice = choice(surroundings);
      // The store's own name replaces this once connected. The URI is not shown: it may have a
      // password.
      place = "the store " + choice.source();
      chosen = choice;
    }
    return choice;
  }

  /** Returns the chosen store, without connecting to it. */
  public BackendChoice choice(Surroundings surroundings) {
    if (backend != null && backendFile != null) {
      throw new BadRequestException("Give --backend or --backend-file, not both.");
    }
    return BackendChoice.of(backend, backendFile, surroundings);
  }

  /** Returns the store's name for messages; empty before the store was chosen. */
  public Optional<String> place() {
    return Optional.ofNullable(place);
  }
}
