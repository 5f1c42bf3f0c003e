package io.holdfast.cli;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.LockInterruptedException;
import io.holdfast.Payload;
import io.holdfast.cli.run.LockedRun;
import io.holdfast.cli.run.Signal;
import io.holdfast.cli.run.Signals;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine;
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
      "  75  the lock was held by others until the wait was over",
      "  126, 127  COMMAND could not be executed, was not found"
    },
    versionProvider = SharedOptions.Version.class)
final class RunCommand implements Callable<Integer>, UsesStore {

  private final Surroundings surroundings;

  @Mixin private SharedOptions shared = new SharedOptions();
  @Mixin private StoreOptions store = new StoreOptions();
  @Spec private CommandSpec spec;

  @Option(
      names = {"-w", "--wait"},
      paramLabel = "DURATION",
      converter = Wait.Converter.class,
      description =
          "How long to wait for the lock, and for a store that cannot be reached: 10s, 2m, 0s for"
              + " one attempt, or forever, the default.")
  private Wait wait = Wait.FOREVER;

  @Option(
      names = {"-t", "--ttl"},
      paramLabel = "DURATION",
      converter = Durations.class,
      description =
          "How long the lock outlives this process if it dies, and how long the store may be away"
              + " before COMMAND is ended; 15s by default.")
  private Duration ttl = Duration.ofSeconds(15);

  @Option(
      names = "--foreground",
      description = {
        "Leave the terminal to COMMAND: keys such as Ctrl-C and Ctrl-Z, prompts, job control.",
        "Without it COMMAND can read and write the terminal, but no key reaches it, and it has no"
            + " /dev/tty."
      })
  private boolean foreground;

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
  public StoreOptions store() {
    return store;
  }

  @Override
  public Integer call() throws IOException {
    requireNameAndCommand();
    LockedRun.requireLinux();
    Messages messages = new Messages(surroundings.err(), shared.quiet());
    SessionNews news = new SessionNews(messages, ttl);
    WaitLeft left = new WaitLeft(wait);
    LockClient client =
        new PatientConnection(left, messages)
            .connect(() -> store.connect(surroundings, messages, news));
    // Closed last: until the client is closed too, a signal must not end this process.
    try (Signals signals = Signals.caught();
        client) {
      Grant grant;
      try (WaitingNote note = WaitingNote.start(client, name, messages)) {
        grant =
            client
                .lock(name)
                .acquire(new AcquireOptions(left.limit(), Optional.of(ttl), why, Payload.EMPTY));
      } catch (LockInterruptedException e) {
        return signals.pending().map(Signal::exitCode).orElseThrow(() -> e);
      } finally {
        signals.endWaiting();
      }
      if (signals.pending().isPresent()) {
        grant.release();
        return signals.pending().get().exitCode();
      }
      return prepared(grant, news, messages).run(command, about(grant), signals);
    }
  }

  private LockedRun prepared(Grant grant, SessionNews news, Messages messages) {
    LockedRun run = new LockedRun(grant, news::ttl, messages);
    if (!foreground) {
      return run;
    }
    if (Terminal.isInFront()) {
      return run.inForeground();
    }
    messages.note("--foreground is without effect: this process has no terminal in front of it");
    return run;
  }

  /** Before "--" only the name may stand beside options; it may also stand right behind it. */
  private void requireNameAndCommand() {
    CommandLine line = spec.commandLine();
    List<String> words = line.getParseResult().originalArgs();
    if (!words.contains("--") || command.isEmpty()) {
      throw new ParameterException(
          line, "the command to run is missing: holdfast run NAME -- COMMAND");
    }
    int behind = words.size() - words.indexOf("--") - 1;
    if (command.size() > behind) {
      throw new ParameterException(
          line,
          "before \"--\" stands more than the lock's name: "
              + String.join(" ", command.subList(0, command.size() - behind)));
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
