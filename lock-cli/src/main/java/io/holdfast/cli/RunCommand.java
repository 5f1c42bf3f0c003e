package io.holdfast.cli;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.LockInterruptedException;
import io.holdfast.Payload;
import io.holdfast.cli.run.LockedRun;
import io.holdfast.cli.run.Signals;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a command while a lock is held. */
@Command(
    name = "run",
    description = "Run a command while holding a lock.",
    customSynopsis = "holdfast run NAME [OPTIONS] -- COMMAND [ARGUMENT...]",
    footer = {
      "",
      "COMMAND finds HOLDFAST_LOCK, HOLDFAST_TOKEN and HOLDFAST_SEQUENCER in its environment.",
      "",
      "Exit code: COMMAND's own, or",
      "  64  bad usage",
      "  69  the store could not be reached, or not be used",
      "  71  commands cannot be run here",
      "  74  the lock was lost while COMMAND ran; COMMAND was ended",
      "  75  the lock was not to be had in time",
      "  126, 127  COMMAND could not be executed, was not found"
    },
    versionProvider = SharedOptions.Version.class)
final class RunCommand implements Callable<Integer> {

  private final Surroundings surroundings;

  @Mixin private SharedOptions shared = new SharedOptions();
  @Mixin private StoreOptions store = new StoreOptions();
  @Spec private CommandSpec spec;

  @Option(
      names = {"-w", "--wait"},
      paramLabel = "DURATION",
      converter = Wait.Converter.class,
      description =
          "How long to wait for the lock: 10s, 2m, 0s for one attempt, or forever, the default.")
  private Wait wait = Wait.FOREVER;

  @Option(
      names = {"-t", "--ttl"},
      paramLabel = "DURATION",
      converter = Durations.class,
      description =
          "How long the lock outlives this process if it dies, and how long the store may be away"
              + " before COMMAND is ended; 15s by default.")
  private Duration ttl = Duration.ofSeconds(15);

  @Option(names = "--why", paramLabel = "TEXT", description = "What for, for people who look.")
  private String why = "";

  @Parameters(index = "0", paramLabel = "NAME", description = "The lock's name.")
  private String name;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "What to run, and its arguments.")
  private List<String> command = List.of();

  RunCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public Integer call() throws IOException {
    requireCommand();
    LockedRun.requireLinux();
    Messages messages = new Messages(surroundings.err(), shared.quiet());
    AcquireOptions options = new AcquireOptions(wait.limit(), Optional.of(ttl), why, Payload.EMPTY);
    SessionNews news = new SessionNews(messages, ttl);
    try (LockClient client = store.connect(surroundings, messages, news);
        Signals signals = Signals.caught()) {
      Grant grant;
      try (WaitingNote note = WaitingNote.start(client, name, messages)) {
        grant = client.lock(name).acquire(options);
      } catch (LockInterruptedException e) {
        return signals.pending().map(Signals.Signal::exitCode).orElseThrow(() -> e);
      } finally {
        signals.endWaiting();
      }
      if (signals.pending().isPresent()) {
        grant.release();
        return signals.pending().get().exitCode();
      }
      return new LockedRun(grant, news::ttl, messages).run(command, about(grant), signals);
    }
  }

  private void requireCommand() {
    if (!spec.commandLine().getParseResult().originalArgs().contains("--") || command.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "the command to run is missing: holdfast run NAME -- COMMAND");
    }
  }

  private Consumer<Map<String, String>> about(Grant grant) {
    return environment -> {
      LauncherLocale.restore(environment);
      environment.put("HOLDFAST_LOCK", grant.name().value());
      environment.put("HOLDFAST_TOKEN", grant.token().toString());
      environment.put("HOLDFAST_SEQUENCER", grant.sequencer().toString());
    };
  }
}
