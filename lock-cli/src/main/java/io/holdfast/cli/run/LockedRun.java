package io.holdfast.cli.run;

import io.holdfast.Grant;
import io.holdfast.cli.run.CommandGroup.Place;
import io.holdfast.cli.run.GroupSignal.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a command while a grant is held, and releases the grant when no process of the command's
 * group is left. An instance runs one command.
 *
 * <p>The thread that calls {@link #run} does all the work. Other threads only put events into a
 * queue. The thread must live as long as this process.
 */
public final class LockedRun {

  private static final String TOO_LATE =
      "its lease had run out, or it was revoked, before the command was started";

  /** The tools that start commands and end them. */
  private static final List<String> TOOLS = List.of("sh", "bash", "setsid");

  /** The exit code for a lock that was lost, or in doubt, while the command ran. */
  public static final int EXIT_LOST = 74;

  /** The exit code for a command that was ended because its time was over, as of timeout(1). */
  public static final int EXIT_AT_MOST = 124;

  private static final long RUNS_ON_AFTER_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** An event: a signal, or a reason to look at the lease and the group. */
  private record Event(Optional<Signal> signal) {
    static final Event WAKE = new Event(Optional.empty());
  }

  private final Grant grant;
  private final String lock;
  private final Reporter reporter;
  private final LeaseWatch watch;
  private final long startedMillis;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private final Deque<Signal> unsent = new ArrayDeque<>();
  private final LossWatch loss;
  private final Supplier<Duration> ttl;
  private @Nullable RunLimit limit;
  private @Nullable Duration stopTimeout;
  private long askedToStopMillis;
  private @Nullable Signal stoppedBy;
  private Place place = Place.OWN_SESSION;
  private boolean killing;
  private boolean killed;
  private boolean saidNoKeeper;
  private boolean saidWhatRunsOn;

  /** Reports messages to the user. */
  public interface Reporter {
    /** Reports a note. */
    void note(String text);

    /** Reports an error. */
    void error(String text);
  }

  /**
   * Checks that this system can run commands, before the tool waits for a lock.
   *
   * @throws IOException if not
   */
  public static void requireLinux() throws IOException {
    if (!BootClock.isThere()) {
      throw new IOException("commands can be run on Linux only: there is no /proc/uptime here");
    }
    for (String tool : TOOLS) {
      if (!isInPath(tool)) {
        throw new IOException(
            "commands cannot be run without %s, which is not in PATH".formatted(tool));
      }
    }
  }

  private static boolean isInPath(String tool) {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, tool)));
  }

  /**
   * Prepares a run.
   *
   * @param ttl returns the TTL of the grant's session, as far as it is known when called
   */
  public LockedRun(Grant grant, Supplier<Duration> ttl, Reporter reporter) {
    this(grant, new LossWatch(grant), ttl, reporter);
  }

  /**
   * Prepares one of several runs under one grant.
   *
   * @param loss of the grant, for all these runs
   * @param ttl returns the TTL of the grant's session, as far as it is known when called
   */
  public LockedRun(Grant grant, LossWatch loss, Supplier<Duration> ttl, Reporter reporter) {
    this.grant = grant;
    this.loss = loss;
    this.lock = '"' + grant.name().value() + '"';
    this.ttl = ttl;
    this.reporter = reporter;
    // The clock is read first, so that a pause between the two reads makes the lease shorter, not
    // longer.
    this.startedMillis = BootClock.millis();
    this.watch = new LeaseWatch(ttl.get(), startedMillis, grant.remaining());
  }

  /** Ends the command when so much time has passed since this object was made. */
  public LockedRun atMost(Duration time) {
    limit = new RunLimit(startedMillis, time);
    return this;
  }

  /** Kills the command when it was asked to stop so long ago, by any signal or reason. */
  public LockedRun stopTimeout(Duration time) {
    stopTimeout = time;
    return this;
  }

  /**
   * Gives the terminal to the command. Call this only if this process is in the foreground of a
   * terminal.
   */
  public LockedRun inForeground() {
    place = Place.FOREGROUND;
    return this;
  }

  /**
   * Runs the command to its end and releases the grant.
   *
   * @param environment changes the command's environment, which begins as ours
   * @return the command's exit code, or {@link #EXIT_LOST}, or {@link #EXIT_AT_MOST}
   * @throws IOException if the command could not be started because something that it needs is
   *     missing; no process of it runs then
   */
  public int run(List<String> command, Consumer<Map<String, String>> environment, Signals signals)
      throws IOException {
    if (isTooLate()) {
      Release.unused(grant, reporter);
      reporter.error("%s was lost: %s".formatted(lock, TOO_LATE));
      return EXIT_LOST;
    }
    Optional<Signal> ending = signals.pending();
    if (ending.isPresent()) {
      Release.unused(grant, reporter);
      return ending.get().exitCode();
    }
    CommandGroup group;
    try {
      group = start(command, environment);
    } catch (IOException | RuntimeException e) {
      Release.unused(grant, reporter);
      throw e;
    }
    return giveBack(attendAndEnd(command, group, signals));
  }

  /**
   * How a run has ended.
   *
   * @param code the command's exit code
   * @param doubt why the lock was perhaps not held all the time; empty if it was
   * @param stoppedBy the signal, INT or TERM, that this process was sent while the command ran
   * @param began whether the command's first instruction may have run; if not, it was not found or
   *     could not be executed
   */
  public record Ended(
      int code, Optional<String> doubt, Optional<Signal> stoppedBy, boolean began) {}

  /**
   * Runs the command to its end and keeps the grant, if it was not lost.
   *
   * @param environment changes the command's environment, which begins as ours
   * @throws IOException if the command could not be started because something that it needs is
   *     missing; no process of it runs then
   */
  public Ended runAndHold(
      List<String> command, Consumer<Map<String, String>> environment, Signals signals)
      throws IOException {
    if (isTooLate()) {
      return new Ended(EXIT_LOST, Optional.of(TOO_LATE), Optional.empty(), false);
    }
    return attendAndEnd(command, start(command, environment), signals);
  }

  private CommandGroup start(List<String> command, Consumer<Map<String, String>> environment)
      throws IOException {
    return CommandGroup.start(place, command, environment, watch.keeperKillsAtMillis());
  }

  private Ended attendAndEnd(List<String> command, CommandGroup group, Signals signals) {
    try {
      group.onLeaderEnd(() -> events.add(Event.WAKE));
      loss.onLoss(() -> events.add(Event.WAKE));
      signals.passTo(signal -> events.add(new Event(Optional.of(signal))));
      attend(group);
    } finally {
      // After any failure the caller releases the lock, so no process that relies on it may be
      // left.
      end(group);
    }
    signals.keepAgain();
    takeEvents(Duration.ZERO);
    Ended ended =
        new Ended(
            group.exitCode().orElseThrow(),
            watch.doubt(BootClock.millis(), grant.isHeld(), loss.reason()),
            Optional.ofNullable(stoppedBy),
            group.mayHaveBegun());
    if (!ended.began()) {
      sayNotBegun(command.get(0), ended.code());
    }
    return ended;
  }

  private void sayNotBegun(String program, int code) {
    reporter.error(
        "%s: the command \"%s\" %s"
            .formatted(
                lock,
                program,
                code == CommandGroup.EXIT_NOT_FOUND
                    ? "was not found\nto do: correct its name, add its directory to PATH, or install the interpreter that it names"
                    : "cannot be executed\nto do: name a program, or a script that may be executed"));
  }

  /** The keeper would end the command at once, and perhaps not soon enough. */
  private boolean isTooLate() {
    return !grant.isHeld() || BootClock.millis() >= watch.keeperKillsAtMillis();
  }

  private void attend(CommandGroup group) {
    Backoff backoff = new Backoff();
    long leaderEndedNanos = 0;
    while (group.isAlive()) {
      obeyLimit();
      obeyStopTimeout();
      obeyLease(group);
      passSignals(group);
      Duration pause = watch.pause();
      if (group.exitCode().isPresent()) {
        leaderEndedNanos = sayWhatRunsOn(group, leaderEndedNanos);
        pause = backoff.next(pause);
      } else if (!unsent.isEmpty() || (killing && !killed)) {
        pause = backoff.next(pause);
      }
      takeEvents(pause);
    }
  }

  private void obeyLimit() {
    if (limit != null && !killing) {
      obey(limit.look(BootClock.millis()), "the command's time (--at-most) is over");
    }
  }

  private void obeyStopTimeout() {
    if (stopTimeout == null || askedToStopMillis == 0 || killing) {
      return;
    }
    if (BootClock.millis() - askedToStopMillis >= stopTimeout.toMillis()) {
      reporter.error(lock + ": the command did not stop in time; it is killed");
      killing = true;
    }
  }

  private void obeyLease(CommandGroup group) {
    watch.ttlIs(ttl.get());
    long now = BootClock.millis();
    Demand demand = watch.look(now, grant.remaining(), loss.reason());
    obey(demand, watch.reason());
    if (!killing) {
      keep(group);
    } else if (!killed) {
      killed = group.kill() == Result.SENT;
    }
  }

  private void obey(Demand demand, String reason) {
    switch (demand) {
      case STOP -> {
        reporter.error(lock + ": " + reason + "; the command is asked to stop (SIGTERM)");
        unsent.add(Signal.TERM);
      }
      case KILL -> {
        reporter.error(lock + ": " + reason + "; the command is killed");
        killing = true;
      }
      case NOTHING -> {}
    }
  }

  private void keep(CommandGroup group) {
    try {
      group.keepUntil(watch.keeperKillsAtMillis());
    } catch (IOException e) {
      if (!saidNoKeeper) {
        saidNoKeeper = true;
        reporter.error(
            "cannot start a keeper (%s): the command may outlive this process if that is killed"
                .formatted(e.getMessage()));
      }
    }
  }

  /** A signal that cannot be sent because the group does not exist yet is sent the next time. */
  private void passSignals(CommandGroup group) {
    while (!unsent.isEmpty()) {
      Signal signal = unsent.peek();
      if (signal == Signal.CONT && !mayGoOn()) {
        unsent.remove();
        continue;
      }
      Result result = group.pass(signal);
      if (result == Result.NO_GROUP && group.exitCode().isEmpty()) {
        return;
      }
      unsent.remove();
      if (signal.asksToStop() && askedToStopMillis == 0) {
        askedToStopMillis = BootClock.millis();
      }
      if (result == Result.FAILED) {
        reporter.error("cannot send SIG" + signal + " to the command");
      }
    }
  }

  /** A stopped command continues only if the lock is still held; otherwise it is killed. */
  private boolean mayGoOn() {
    boolean held = grant.isHeld();
    if (!held && !killing) {
      reporter.error(
          lock + ": it is not held any more; the command is killed and does not continue");
      killing = true;
    }
    return held;
  }

  private long sayWhatRunsOn(CommandGroup group, long leaderEndedNanos) {
    long now = System.nanoTime();
    if (leaderEndedNanos == 0) {
      return now;
    }
    if (!saidWhatRunsOn && now - leaderEndedNanos > RUNS_ON_AFTER_NANOS) {
      saidWhatRunsOn = true;
      reporter.note(
          "the command has ended, but not all of its process group (%s): %s is held until the group has"
                  .formatted(join(group.members()), lock)
              + " ended too");
    }
    return leaderEndedNanos;
  }

  private static String join(List<ProcessTable.Entry> members) {
    return members.stream().map(Object::toString).collect(Collectors.joining(", "));
  }

  private void takeEvents(Duration pause) {
    List<Event> taken = new ArrayList<>();
    try {
      Event first = events.poll(pause.toMillis(), TimeUnit.MILLISECONDS);
      if (first != null) {
        taken.add(first);
      }
    } catch (InterruptedException e) {
      // No code has a reason to interrupt this thread, which waits for the command's end in any
      // case.
    }
    events.drainTo(taken);
    for (Event event : taken) {
      event.signal().ifPresent(this::receive);
    }
  }

  private void receive(Signal signal) {
    unsent.add(signal);
    if (signal.asksToStop() && stoppedBy == null) {
      stoppedBy = signal;
    }
  }

  private void end(CommandGroup group) {
    Backoff backoff = new Backoff();
    while (group.isAlive()) {
      group.kill();
      takeEvents(backoff.next(watch.pause()));
    }
    group.dismissKeeper();
  }

  private int giveBack(Ended ended) {
    Optional<String> lost =
        ended.began() ? Release.of(grant, reporter) : Release.unused(grant, reporter);
    Optional<String> doubt = ended.doubt().or(() -> lost);
    if (doubt.isEmpty()) {
      return limit != null && limit.wasReached() ? EXIT_AT_MOST : ended.code();
    }
    reporter.error(
        "%s was lost, or in doubt, while the command ran: %s (the command's exit code: %s)"
            .formatted(lock, doubt.get(), ended.code()));
    return EXIT_LOST;
  }
}
