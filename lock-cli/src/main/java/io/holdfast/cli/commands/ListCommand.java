package io.holdfast.cli.commands;

import io.holdfast.LockClient;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.options.DurationConverter;
import io.holdfast.cli.options.SharedOptions;
import io.holdfast.cli.options.StoreOptions;
import io.holdfast.cli.options.UsesStore;
import io.holdfast.cli.output.Durations;
import io.holdfast.cli.output.ExitCode;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.output.LockTable;
import io.holdfast.cli.output.LockView;
import io.holdfast.cli.output.Messages;
import io.holdfast.record.LockRecord;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the locks that are held. */
@Command(
    name = "list",
    description = "List the locks that are held.",
    versionProvider = SharedOptions.Version.class)
final class ListCommand implements Callable<Integer>, UsesStore {

  private static final Duration SHORTEST_INTERVAL = Duration.ofMillis(200);

  /** For so many locks the columns are made wide enough; those behind them have the same ones. */
  private static final int LAID_OUT = 200;

  private final Surroundings surroundings;

  @Mixin private SharedOptions shared = new SharedOptions();
  @Mixin private StoreOptions store = new StoreOptions();
  @Spec private CommandSpec spec;

  @Option(names = "--json", description = "Print a JSON array, one lock on each line.")
  private boolean json;

  @Option(
      names = "--watch",
      description = "Show them on the whole terminal, and again after each pause, until Ctrl-C.")
  private boolean watch;

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description = "The pause of --watch; 2s by default, 200ms at least.")
  private Duration interval = Duration.ofSeconds(2);

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
    if (watch) {
      return watch();
    }
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

  private int watch() {
    if (json) {
      throw new ParameterException(
          spec.commandLine(), "--watch is for people, --json for programs: choose one of them");
    }
    if (surroundings.screen().size().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "--watch needs a terminal, and standard output is none");
    }
    if (interval.compareTo(SHORTEST_INTERVAL) < 0) {
      throw new ParameterException(
          spec.commandLine(), "--interval must be at least " + Durations.show(SHORTEST_INTERVAL));
    }
    try (LockClient client =
        store.connect(surroundings, new Messages(surroundings.err(), true), event -> {})) {
      new ListWatch(surroundings, client, prefix, interval).run();
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.INTERRUPTED;
    }
  }

  private void printJson(Iterator<LockRecord> locks) {
    PrintStream out = surroundings.out();
    out.print('[');
    String separator = "\n";
    // A reader that has read enough must not have the whole store read.
    while (locks.hasNext() && !out.checkError()) {
      out.print(separator + Json.write(LockView.json(locks.next())));
      separator = ",\n";
    }
    out.println("\n]");
  }

  private void printTable(Iterator<LockRecord> locks) {
    List<LockRecord> first = new ArrayList<>();
    while (locks.hasNext() && first.size() < LAID_OUT) {
      first.add(locks.next());
    }
    LockTable table = LockTable.of(first, surroundings.screen().size(), surroundings);
    PrintStream out = surroundings.out();
    out.println(table.header());
    first.forEach(lock -> out.println(table.line(lock)));
    while (locks.hasNext() && !out.checkError()) {
      out.println(table.line(locks.next()));
    }
  }
}
