package io.holdfast.cli.commands;

import io.holdfast.LockClient;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.options.DurationConverter;
import io.holdfast.cli.options.SharedOptions;
import io.holdfast.cli.options.StoreOptions;
import io.holdfast.cli.options.UsesStore;
import io.holdfast.cli.output.ExitCode;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.output.LockView;
import io.holdfast.cli.output.Messages;
import io.holdfast.error.HoldfastException;
import io.holdfast.record.LockRecord;
import io.holdfast.watch.Watch;
import io.holdfast.watch.WatchListener;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the state of a lock, or of the locks of a prefix, whenever it changes. */
@Command(
    name = "watch",
    description = {
      "Print the state of a lock, and again whenever it changes, until a signal ends it.",
      "It is the latest state that is printed. One that was over soon may be left out."
    },
    versionProvider = SharedOptions.Version.class)
final class WatchCommand implements Callable<Integer>, UsesStore {

  private final Surroundings surroundings;

  @Mixin private SharedOptions shared = new SharedOptions();
  @Mixin private StoreOptions store = new StoreOptions();
  @Spec private CommandSpec spec;

  @Option(
      names = "--prefix",
      paramLabel = "PREFIX",
      description =
          "Watch the locks whose names begin with this: those that are held, and when they are free.")
  private @Nullable String prefix;

  @Option(names = "--json", description = "Print a JSON object for each state, on one line.")
  private boolean json;

  @Option(
      names = "--interval",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "How long to rest between two looks at the store; 1s by default, 10ms at least. A store that"
              + " tells of changes, as etcd and ZooKeeper do, is looked at earlier.")
  private Duration interval = LockClient.WATCH_INTERVAL;

  @Parameters(arity = "0..1", paramLabel = "NAME", description = "The lock's name.")
  private @Nullable String name;

  WatchCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public StoreOptions store() {
    return store;
  }

  @Override
  public Integer call() {
    Optional<String> one = Optional.ofNullable(name);
    Optional<String> many = Optional.ofNullable(prefix);
    if (one.isPresent() == many.isPresent()) {
      throw new ParameterException(
          spec.commandLine(), "give either the NAME of a lock or --prefix");
    }
    Messages messages = new Messages(surroundings.err(), shared.quiet());
    Printer printer = new Printer(messages);
    try (LockClient client = store.connect(surroundings, messages, event -> {});
        Watch ignored =
            one.isPresent()
                ? client.watch(one.get(), interval, printer)
                : client.watchPrefix(many.orElseThrow(), interval, printer)) {
      printer.outIsGone.await();
      return 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return ExitCode.INTERRUPTED;
    }
  }

  /** Prints the changes that it is told, until standard output is gone. */
  private final class Printer implements WatchListener {
    private final Messages messages;
    private final CountDownLatch outIsGone = new CountDownLatch(1);

    Printer(Messages messages) {
      this.messages = messages;
    }

    @Override
    public void changed(LockRecord lock) {
      String line =
          json
              ? Json.write(LockView.json(lock))
              : surroundings.clock().instant().truncatedTo(ChronoUnit.SECONDS)
                  + "  "
                  + LockView.line(lock);
      surroundings.out().println(line);
      if (surroundings.out().checkError()) {
        outIsGone.countDown();
      }
    }

    @Override
    public void failed(HoldfastException problem) {
      messages.error("not watched at present: " + problem.getMessage());
    }

    @Override
    public void recovered() {
      messages.error("watched again");
    }
  }
}
