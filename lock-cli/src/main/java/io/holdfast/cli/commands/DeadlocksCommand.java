package io.holdfast.cli.commands;

import io.holdfast.LockClient;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.options.SharedOptions;
import io.holdfast.cli.options.StoreOptions;
import io.holdfast.cli.options.UsesStore;
import io.holdfast.cli.output.DeadlockView;
import io.holdfast.cli.output.ExitCode;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.output.Messages;
import io.holdfast.deadlock.Deadlock;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks for sessions that wait for each other. */
@Command(
    name = "deadlocks",
    description = {
      "Show sessions that seem to wait for each other.",
      "A suspicion, because a session is a process and not a thread: if a thread that holds a lock is"
          + " another one than the thread that waits, it may go on and give its lock back."
    },
    footer = {
      "",
      "Exit code: 0 if no deadlock is suspected, 1 if one is. 'holdfast break' ends one."
    },
    versionProvider = SharedOptions.Version.class)
final class DeadlocksCommand implements Callable<Integer>, UsesStore {

  private final Surroundings surroundings;

  @Mixin private SharedOptions shared = new SharedOptions();
  @Mixin private StoreOptions store = new StoreOptions();

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      description =
          "Look only at locks whose names begin with this. A circle that goes over others is not seen.")
  private String prefix = "";

  @Option(names = "--json", description = "Print a JSON array, one deadlock on each line.")
  private boolean json;

  DeadlocksCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public StoreOptions store() {
    return store;
  }

  @Override
  public Integer call() {
    Messages messages = new Messages(surroundings.err(), shared.quiet());
    try (LockClient client = store.connect(surroundings, messages, event -> {})) {
      List<Deadlock> found = client.findDeadlocks(prefix);
      if (json) {
        surroundings.out().println(json(found));
      } else if (found.isEmpty()) {
        messages.note("no deadlock is suspected");
      } else {
        found.forEach(each -> surroundings.out().print(DeadlockView.text(each)));
        surroundings.out().flush();
      }
      return found.isEmpty() ? 0 : ExitCode.FOUND;
    }
  }

  private static String json(List<Deadlock> found) {
    return found.stream()
        .map(each -> "\n" + Json.write(DeadlockView.json(each)))
        .collect(Collectors.joining(",", "[", "\n]"));
  }
}
