package io.holdfast.cli.commands;

import io.holdfast.cli.elect.ElectRequest;
import io.holdfast.cli.elect.ElectedCommand;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.options.DurationConverter;
import io.holdfast.cli.options.SharedOptions;
import io.holdfast.cli.options.StoreOptions;
import io.holdfast.cli.options.UsesStore;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Keeps a command running on one of many machines. */
@Command(
    name = "elect",
    description = {
      "Keep a command running on one machine at a time.",
      "Processes that give the same NAME wait for each other. The one that is elected runs COMMAND;"
          + " when it ends, or its machine dies, another one is elected."
    },
    customSynopsis = "holdfast elect NAME [OPTIONS] -- COMMAND [ARGUMENT...]",
    footer = {
      "",
      "COMMAND finds HOLDFAST_LOCK, HOLDFAST_TOKEN and HOLDFAST_SEQUENCER in its environment.",
      "INT and TERM are passed on to COMMAND and end this process when COMMAND has ended; other"
          + " signals are passed on.",
      "",
      "Exit code: COMMAND's own after INT, TERM or with --on-exit exit, or",
      "  64  bad usage",
      "  69  the store cannot be used",
      "  71  commands cannot be run on this system",
      "  74  the lead was lost while COMMAND ran, and was not wanted any more",
      "  128+N  signal N ended the wait"
    },
    versionProvider = SharedOptions.Version.class)
final class ElectCommand implements Callable<Integer>, UsesStore {

  private final Surroundings surroundings;

  @Mixin private SharedOptions shared = new SharedOptions();
  @Mixin private StoreOptions store = new StoreOptions();
  @Spec private CommandSpec spec;

  @Option(
      names = "--on-exit",
      paramLabel = "WHAT",
      converter = OnExitConverter.class,
      description =
          "What to do when COMMAND ends by itself: restart it, after a pause that grows from 1s to"
              + " 30s; resign, so that another one is elected, and stand again after such a pause;"
              + " or exit with its code. Default: restart.")
  private ElectRequest.OnExit onExit = ElectRequest.OnExit.RESTART;

  @Option(
      names = "--stop-timeout",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "How long COMMAND has from SIGTERM to SIGKILL; 10s by default. If the lease is about to"
              + " run out it has less: COMMAND is gone before another one is elected.")
  private Duration stopTimeout = Duration.ofSeconds(10);

  @Option(
      names = "--ready-file",
      paramLabel = "PATH",
      description =
          "A file that is there while COMMAND runs here, for health checks. It has the sequencer in"
              + " it. Its directory must be there already. A process that was killed leaves the file;"
              + " the next one removes it when it starts.")
  private @Nullable Path readyFile;

  @Option(
      names = {"-t", "--ttl"},
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "How long there is no leader after the leader's machine died, and how long the store may be"
              + " away before COMMAND is ended; 15s by default.")
  private Duration ttl = RunRequest.USUAL_TTL;

  @Option(names = "--why", paramLabel = "TEXT", description = "The reason, which 'inspect' shows.")
  private String why = "";

  @Parameters(index = "0", paramLabel = "NAME", description = "The election's name.")
  private String name;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "What the leader runs, and its arguments.")
  private List<String> command = List.of();

  ElectCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public StoreOptions store() {
    return store;
  }

  @Override
  public Integer call() throws IOException {
    CommandWords.require(spec.commandLine(), command);
    RunTimes.requireWithin("--stop-timeout", Optional.of(stopTimeout), RunTimes.GREATEST_AT_MOST);
    ElectRequest request =
        new ElectRequest(
            name,
            command,
            onExit,
            stopTimeout,
            Optional.ofNullable(readyFile),
            ttl,
            why,
            shared.quiet(),
            store.named());
    return new ElectedCommand(surroundings, request).run();
  }

  /** Reads the value of {@code --on-exit}. */
  static final class OnExitConverter implements ITypeConverter<ElectRequest.OnExit> {
    @Override
    public ElectRequest.OnExit convert(String text) {
      for (ElectRequest.OnExit each : ElectRequest.OnExit.values()) {
        if (each.name().toLowerCase(Locale.ROOT).equals(text)) {
          return each;
        }
      }
      throw new TypeConversionException("'" + text + "' is not restart, resign or exit");
    }
  }
}
