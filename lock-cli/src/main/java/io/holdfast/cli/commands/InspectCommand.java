package io.holdfast.cli.commands;

import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.options.SharedOptions;
import io.holdfast.cli.options.StoreOptions;
import io.holdfast.cli.options.UsesStore;
import io.holdfast.cli.output.ExitCode;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.output.LockView;
import io.holdfast.cli.output.Messages;
import io.holdfast.record.LockRecord;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one lock. */
@Command(
    name = "inspect",
    description = "Show who holds a lock, since when and why, and who waits for it.",
    footer = {
      "",
      "Exit code: 0 if the store has a record of the lock, 1 if it has none, because no lock of that"
          + " name was ever taken or because the store has deleted the record of the free lock."
          + " With --exit-code: 0 if the lock is held, 1 if it is free."
    },
    versionProvider = SharedOptions.Version.class)
final class InspectCommand implements Callable<Integer>, UsesStore {

  private final Surroundings surroundings;

  @Mixin private SharedOptions shared = new SharedOptions();
  @Mixin private StoreOptions store = new StoreOptions();

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Option(
      names = "--exit-code",
      description =
          "Say by the exit code whether the lock is held: 0 if it is, 1 if it is free. A holder whose"
              + " session has lapsed or ended does not count. It may have changed before you read it.")
  private boolean exitCode;

  @Parameters(paramLabel = "NAME", description = "The lock's name.")
  private String name;

  InspectCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public StoreOptions store() {
    return store;
  }

  @Override
  public Integer call() {
    LockName lockName = new LockName(name);
    Messages messages = new Messages(surroundings.err(), shared.quiet());
    try (LockClient client = store.connect(surroundings, messages, event -> {})) {
      Optional<LockRecord> known = client.find(name);
      LockRecord lock = known.orElseGet(() -> LockRecord.unknown(lockName));
      if (json) {
        surroundings.out().println(Json.write(LockView.json(lock)));
      } else {
        surroundings.out().print(LockView.text(lock, surroundings.clock().instant()));
      }
      boolean yes = exitCode ? lock.isHeld() : known.isPresent();
      return yes ? 0 : ExitCode.NO;
    }
  }
}
