package io.holdfast.cli.commands;

import io.holdfast.LockClient;
import io.holdfast.LockRecord;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.output.LockView;
import io.holdfast.cli.output.Messages;
import java.io.PrintStream;
import java.util.Iterator;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists the locks that are held. */
@Command(
    name = "list",
    description = "List the locks that are held.",
    versionProvider = SharedOptions.Version.class)
final class ListCommand implements Callable<Integer>, UsesStore {

  private final Surroundings surroundings;

  @Mixin private SharedOptions shared = new SharedOptions();
  @Mixin private StoreOptions store = new StoreOptions();

  @Option(names = "--json", description = "Print a JSON array, one lock on each line.")
  private boolean json;

  @Parameters(
      arity = "0..1",
      paramLabel = "PREFIX",
      description = "Only locks whose names begin with this.")
  private String prefix = "";

  ListCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public StoreOptions store() {
    return store;
  }

  @Override
  public Integer call() {
    Messages messages = new Messages(surroundings.err(), shared.quiet());
    try (LockClient client = store.connect(surroundings, messages, event -> {});
        Stream<LockRecord> locks = client.list(prefix)) {
      // One by one: there may be more than fit in memory.
      Iterator<LockRecord> each = locks.iterator();
      if (json) {
        printJson(each);
      } else if (each.hasNext()) {
        printTable(each);
      } else {
        messages.note(
            "no lock is held" + (prefix.isEmpty() ? "" : " whose name begins with that prefix"));
      }
    }
    return 0;
  }

  private void printJson(Iterator<LockRecord> locks) {
    PrintStream out = surroundings.out();
    out.print('[');
    String separator = "\n";
    while (locks.hasNext()) {
      out.print(separator + Json.write(LockView.json(locks.next())));
      separator = ",\n";
    }
    out.println("\n]");
  }

  private void printTable(Iterator<LockRecord> locks) {
    surroundings.out().println(LockView.header());
    while (locks.hasNext()) {
      surroundings.out().println(LockView.line(locks.next()));
    }
  }
}
