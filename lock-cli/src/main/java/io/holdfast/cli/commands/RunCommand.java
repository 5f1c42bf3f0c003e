package io.holdfast.cli.commands;

import io.holdfast.LockMode;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.options.DurationConverter;
import io.holdfast.cli.options.SharedOptions;
import io.holdfast.cli.options.StoreOptions;
import io.holdfast.cli.options.UsesStore;
import io.holdfast.cli.options.WaitConverter;
import io.holdfast.cli.waiting.Wait;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a command while a lock is held. */
@Command(
    name = "run",
    description = "Run a command while holding a lock.",
    customSynopsis = {
      "holdfast run NAME [OPTIONS] -- COMMAND [ARGUMENT...]",
      "       holdfast run NAME [OPTIONS] -c LINE"
    },
    footer = {
      "",
      "COMMAND finds HOLDFAST_LOCK, HOLDFAST_TOKEN and HOLDFAST_SEQUENCER in its environment.",
      "",
      "Exit code: COMMAND's own, or",
      "  64  bad usage",
      "  69  the store could not be reached, or cannot be used",
      "  71  commands cannot be run on this system",
      "  74  the lock was lost while COMMAND ran; COMMAND was ended",
      "  75  the lock was held by others until the wait was over",
      "  124  COMMAND was ended because its time (--at-most) was over",
      "  126, 127  COMMAND could not be executed, or was not found"
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
      converter = WaitConverter.class,
      description =
          "How long to wait for the lock, and for a store that cannot be reached: 10s, 2m, 0s for"
              + " one attempt, or forever. Default: forever, or 0s with --at-least.")
  private @Nullable Wait wait;

  @Option(
      names = "--retry",
      paramLabel = "DURATION",
      converter = WaitConverter.class,
      description =
          "How long to try again while the store cannot be reached, after pauses from 0.2s to 5s: 2m,"
              + " or forever. That time does not count as --wait, so '--wait 0s --retry 2m' makes one"
              + " attempt at the lock as soon as the store is there. Each attempt has the whole"
              + " --wait; one that waits forever waits for the store too, however long. Once COMMAND has"
              + " begun nothing is tried again: COMMAND never runs twice. Default: as long as --wait.")
  private @Nullable Wait retry;

  @Option(
      names = {"-c", "--command"},
      paramLabel = "LINE",
      description = "Run this line by /bin/sh -c, as COMMAND: pipes, variables and && work in it.")
  private @Nullable String shellLine;

  @Option(
      names = {"-t", "--ttl"},
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "How long the lock stays held if this process dies, and how long the store may be away"
              + " before COMMAND is ended; 15s by default.")
  private Duration ttl = RunRequest.USUAL_TTL;

  @Option(
      names = "--shared",
      description =
          "Hold the lock together with others that ask for --shared; one without it holds it alone."
              + " A store of another vendor may not have shared mode.")
  private boolean isShared;

  @Option(
      names = "--at-least",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "How long the lock is taken at least, so that a job which several machines start at almost"
              + " the same moment runs once: a COMMAND that ends earlier leaves the lock taken until"
              + " then, and this process does not wait for that. At most a day.")
  private @Nullable Duration atLeast;

  @Option(
      names = "--lock-delay",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "How long the lock stays taken after its lease if this process dies: time for what COMMAND"
              + " has sent last. At most a day.")
  private @Nullable Duration lockDelay;

  @Option(
      names = "--at-most",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "How long COMMAND may run: then it gets SIGTERM, and SIGKILL 10 s later. The lock is held"
              + " until COMMAND has ended.")
  private @Nullable Duration atMost;

  @Option(
      names = "--foreground",
      description = {
        "Leave the terminal to COMMAND: keys such as Ctrl-C and Ctrl-Z, prompts, job control.",
        "Without it COMMAND can read and write the terminal, but no key reaches it, and it has no"
            + " /dev/tty."
      })
  private boolean foreground;

  @Option(names = "--why", paramLabel = "TEXT", description = "The reason, which 'inspect' shows.")
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
    return new LockedCommand(surroundings, request()).run();
  }

  /** Returns what the arguments ask for. */
  RunRequest request() {
    RunTimes times =
        new RunTimes(
            Optional.ofNullable(atLeast),
            Optional.ofNullable(atMost),
            Optional.ofNullable(lockDelay));
    return new RunRequest(
        name,
        CommandWords.of(spec.commandLine(), command, shellLine),
        wait == null ? times.usualWait() : wait,
        Optional.ofNullable(retry),
        ttl,
        isShared ? LockMode.SHARED : LockMode.EXCLUSIVE,
        times,
        why,
        foreground,
        shared.quiet(),
        store.named());
  }
}
