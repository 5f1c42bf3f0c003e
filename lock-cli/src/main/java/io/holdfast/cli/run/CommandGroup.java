package io.holdfast.cli.run;

import io.holdfast.cli.run.GroupSignal.Result;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The command and all its descendants that stay in its process group. That group is not the group
 * of this process. Not thread-safe.
 */
final class CommandGroup {

  /** The session and terminal of the command's group. */
  enum Place {
    /**
     * In a session of its own: the command has the terminal as its input and output, but not as its
     * controlling terminal, and no key reaches it.
     */
    OWN_SESSION,
    /** In our session, with the terminal; see {@code foreground.bash}. */
    FOREGROUND
  }

  private static final int EXIT_NOT_EXECUTABLE = 126;

  /** Of a command that was not found. */
  static final int EXIT_NOT_FOUND = 127;

  private final Place place;

  /** The command itself, or the shell that gives it the terminal. Exits with the command's code. */
  private final Process leader;

  private Keeper keeper;
  private OptionalLong group;

  private CommandGroup(Place place, Process leader, Keeper keeper) {
    this.place = place;
    this.leader = leader;
    this.keeper = keeper;
    this.group = place == Place.OWN_SESSION ? OptionalLong.of(leader.pid()) : OptionalLong.empty();
  }

  /**
   * Starts the command. To be called on a thread that lives as long as the tool: the kernel kills
   * the command when the thread that started it ends.
   *
   * @param environment changes the command's environment, which begins as ours
   * @param untilMillis when the keeper kills the group, unless it is given another time before
   */
  static CommandGroup start(
      Place place,
      List<String> command,
      Consumer<Map<String, String>> environment,
      long untilMillis)
      throws IOException {
    Keeper keeper = Keeper.start(untilMillis);
    try {
      return new CommandGroup(place, startLeader(place, command, environment, keeper), keeper);
    } catch (IOException | RuntimeException e) {
      keeper.close();
      throw e;
    }
  }

  private static Process startLeader(
      Place place, List<String> command, Consumer<Map<String, String>> environment, Keeper keeper)
      throws IOException {
    List<String> words = new ArrayList<>();
    if (place == Place.OWN_SESSION) {
      words.add("setsid");
      if (hasSetpriv()) {
        // In addition to the keeper: reaches the first process only, but needs no living process to
        // act.
        words.addAll(List.of("setpriv", "--pdeathsig", "KILL"));
      }
    }
    words.addAll(Script.shell(place == Place.OWN_SESSION ? "start.bash" : "foreground.bash"));
    words.add(Long.toString(keeper.pid()));
    words.add(Long.toString(ProcessHandle.current().pid()));
    if (place == Place.FOREGROUND) {
      words.add(Script.named("start.bash"));
    }
    words.addAll(command);
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectInput(Redirect.INHERIT)
            .redirectOutput(Redirect.INHERIT)
            .redirectError(Redirect.INHERIT);
    environment.accept(builder.environment());
    return builder.start();
  }

  /** Returns whether there is a setpriv that knows the option: the one of busybox does not. */
  private static boolean hasSetpriv() {
    for (String directory : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      Path program = Path.of(directory, "setpriv");
      if (Files.isExecutable(program)) {
        try {
          return !program.toRealPath().endsWith("busybox");
        } catch (IOException e) {
          return false;
        }
      }
    }
    return false;
  }

  /** Runs the action, on a thread of its own, when the group's first process has ended. */
  void onLeaderEnd(Runnable action) {
    Thread thread =
        new Thread(
            () -> {
              try {
                leader.waitFor();
                action.run();
              } catch (InterruptedException e) {
                // No other code knows this thread, so nothing interrupts it.
              }
            },
            "holdfast-command-end");
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns the first process's exit code, 128 + n after signal n; empty while it runs. */
  Optional<Integer> exitCode() {
    return leader.isAlive() ? Optional.empty() : Optional.of(leader.exitValue());
  }

  /** Tells the keeper when the lease ends. Starts another keeper if the present one has ended. */
  void keepUntil(long millis) throws IOException {
    OptionalLong known = group();
    if (!keeper.isAlive()) {
      keeper.close();
      keeper = Keeper.start(millis);
      known.ifPresent(keeper::group);
    }
    keeper.until(millis);
  }

  /** Returns the number of the group; empty until its first process has reported it. */
  private OptionalLong group() {
    if (group.isEmpty()) {
      group = keeper.group();
    }
    return group;
  }

  /** Returns whether any process of the group runs. */
  boolean isAlive() {
    return leader.isAlive()
        || !members().isEmpty()
        || (ProcessTable.hidesProcesses() && signal("0") != Result.NO_GROUP);
  }

  /** Returns the running processes of the group that this process can see. */
  List<ProcessTable.Entry> members() {
    OptionalLong known = group();
    return known.isEmpty() ? List.of() : ProcessTable.membersOf(known.getAsLong());
  }

  /** Passes on a signal that was sent to this process. */
  Result pass(Signal signal) {
    if (signal == Signal.TSTP && place == Place.OWN_SESSION) {
      // The kernel discards TSTP where no process of the session has control over the group.
      return signal("STOP");
    }
    if (signal == Signal.CONT && place == Place.FOREGROUND) {
      // The shell between us knows whether the group may have the terminal again.
      return GroupSignal.sendToProcess(signal, leader.pid());
    }
    OptionalLong known = group();
    return known.isEmpty() ? Result.NO_GROUP : GroupSignal.send(signal, known.getAsLong());
  }

  /** Sends a signal, such as TERM, to the whole group. */
  private Result signal(String signal) {
    OptionalLong known = group();
    return known.isEmpty() ? Result.NO_GROUP : GroupSignal.send(signal, known.getAsLong());
  }

  /** Kills the group. */
  Result kill() {
    Result result = signal("KILL");
    if (result != Result.SENT) {
      // Perhaps no process can be started any more. The keeper runs already. Without a keeper, a
      // command that has not started does not start.
      keeper.close();
    }
    return result;
  }

  /** Must be called when no process of the group is left. */
  void dismissKeeper() {
    keeper.dismiss();
  }

  /**
   * Returns whether the command's first instruction may have run; to be called when the keeper was
   * dismissed. A command may end by itself with the codes of one that was not found or could not be
   * executed, so the code alone does not tell.
   */
  boolean mayHaveBegun() {
    int code = leader.exitValue();
    return (code != EXIT_NOT_EXECUTABLE && code != EXIT_NOT_FOUND) || !keeper.wasToldUnstarted();
  }
}
