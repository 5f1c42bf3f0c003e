package io.holdfast.cli.run;

import static io.holdfast.cli.run.Commands.TIMEOUT;
import static io.holdfast.cli.run.Commands.awaitText;
import static io.holdfast.cli.run.Commands.bash;
import static io.holdfast.cli.run.Commands.isWritten;
import static io.holdfast.cli.run.Commands.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.ReleaseOutcome;
import io.holdfast.cli.FakeGrant;
import io.holdfast.error.LossReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Execution(ExecutionMode.CONCURRENT)
class LockedRunTest {

  private static final Duration TTL = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();
  private final Signals signals = new Signals(Thread.currentThread());
  private final List<String> said = Collections.synchronizedList(new ArrayList<>());
  private final AtomicReference<@Nullable Boolean> heldWhenToldFirst = new AtomicReference<>();
  private FakeGrant grant = grant(TTL);

  /** As when the lock is there. */
  @BeforeEach
  void endWaiting() {
    signals.endWaiting();
  }

  @AfterEach
  void stopThread() {
    thread.shutdownNow();
  }

  @Test
  void theExitCodeIsTheCommandsOwn() throws Exception {
    assertThat(run(bash("exit 7"))).isEqualTo(7);

    assertThat(grant.isReleased()).isTrue();
    assertThat(said).isEmpty();
  }

  @Test
  void aCommandEndedByASignalHasTheExitCodeThatAShellWouldGive() throws Exception {
    assertThat(run(bash("kill -s USR1 $$"))).isEqualTo(128 + 10);
  }

  @Test
  void aCommandThatIsNotThereOrCannotBeExecutedIsToldApart() throws Exception {
    Path file = Files.createFile(directory.resolve("plain"));

    assertThat(run(List.of("/nowhere/to-be-found"))).isEqualTo(127);
    assertThat(said).singleElement().asString().contains("\"/nowhere/to-be-found\" was not found");
    said.clear();
    grant = grant(TTL);
    assertThat(run(List.of(file.toString()))).isEqualTo(126);
    assertThat(said).singleElement().asString().contains(file + "\" cannot be executed");
  }

  /** Else its least time would keep others from a job that never ran. */
  @Test
  void aGrantUnderWhichNoCommandBeganIsGivenBackAsUnused() throws Exception {
    Path file = Files.createFile(directory.resolve("plain"));

    for (List<String> command : List.of(List.of("/no/such"), List.of(file.toString()))) {
      grant = grant(TTL);
      run(command);
      assertThat(grant.isReleasedUnused()).as("after %s", command).isTrue();
    }
  }

  @Test
  void aCommandThatEndsWithTheCodesOfOneThatNeverBeganHasUsedTheLock() throws Exception {
    for (int code : List.of(126, 127, 71)) {
      grant = grant(TTL);
      assertThat(run(bash("exit " + code))).isEqualTo(code);
      assertThat(grant.isReleased()).isTrue();
      assertThat(grant.isReleasedUnused()).as("after %d", code).isFalse();
    }
  }

  @Test
  void aGrantIsGivenBackAsUnusedIfTheCommandCannotBeStarted() {
    assertThatThrownBy(
            () ->
                new LockedRun(grant, () -> TTL, reporter())
                    .run(List.of("true"), environment -> environment.put("a=b", ""), signals))
        .isInstanceOf(IllegalArgumentException.class);

    assertThat(grant.isReleasedUnused()).isTrue();
  }

  @Test
  void aSignalThatComesBeforeTheCommandIsStartedEndsTheRun() throws Exception {
    Path begun = directory.resolve("begun");
    signals.received(Signal.USR1);

    assertThat(run(bash("touch " + begun))).isEqualTo(128 + 10);

    assertThat(begun).doesNotExist();
    assertThat(grant.isReleasedUnused()).isTrue();
  }

  @Test
  void argumentsAndEnvironmentArriveAsTheyAre() throws Exception {
    Path out = directory.resolve("out");
    List<String> odd = List.of("", "--", "@file", "a b", "$HOME", "*", "ä\n\"'\\", "-x", "a=b");
    // Not sh, which may drop variables with odd names itself.
    List<String> command = new ArrayList<>(List.of("bash", "-c"));
    command.add("out=$1; shift; printf '%s;' \"$@\" >\"$out\"; env -0 >>\"$out\"");
    command.add("bash");
    command.add(out.toString());
    command.addAll(odd);

    new LockedRun(grant, () -> TTL, reporter())
        .run(command, environment -> environment.put("an.odd-name", "ö\nx"), signals);

    assertThat(text(out)).startsWith(String.join(";", odd) + ";").contains("an.odd-name=ö\nx\0");
  }

  /** As after a machine that slept between the grant and the start. */
  @Test
  void aCommandIsNotStartedUnderALeaseThatHasRunOut() throws Exception {
    Path out = directory.resolve("out");
    grant = grant(Duration.ofMillis(30));
    grant.stopBeating();
    await().atMost(TIMEOUT).until(() -> !grant.isHeld());

    int code =
        new LockedRun(grant, () -> TTL, reporter()).run(bash("echo x >" + out), env -> {}, signals);

    assertThat(code).isEqualTo(LockedRun.EXIT_LOST);
    assertThat(out).doesNotExist();
    assertThat(grant.isReleasedUnused()).isTrue();
    assertThat(said.toString()).contains("before the command was started");
  }

  @Test
  void theLockIsKeptUntilTheWholeGroupHasEnded() throws Exception {
    Path go = directory.resolve("go");
    Future<Integer> running =
        start(bash("while [ ! -e " + go + " ]; do sleep 0.05; done & exit 3"));
    await().atMost(TIMEOUT).until(() -> said.toString().contains("not all of its process group"));

    assertThat(grant.isReleased()).isFalse();
    Files.createFile(go);

    assertThat(running.get()).isEqualTo(3);
    assertThat(grant.isReleased()).isTrue();
  }

  @Test
  void aCommandWhoseTimeIsOverIsAskedToStopAndTheLockIsKeptUntilItHas() throws Exception {
    Path out = directory.resolve("out");
    Path go = directory.resolve("go");
    String onTerm =
        "echo term >%s; while [ ! -e %s ]; do sleep 0.05; done; exit 0".formatted(out, go);

    Future<Integer> running =
        startForAMoment(
            out,
            bash(
                "trap '%s' TERM; echo ready >%s; while :; do sleep 0.05; done"
                    .formatted(onTerm, out)));
    await().atMost(TIMEOUT).until(() -> text(out).equals("term") || running.isDone());

    assertThat(text(out)).isEqualTo("term");
    assertThat(grant.isReleased()).isFalse();
    Files.createFile(go);
    assertThat(running.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(124);
    assertThat(grant.isReleased()).isTrue();
    assertThat(said.toString()).contains("--at-most").contains("SIGTERM");
  }

  @Test
  void aCommandThatDoesNotStopWhenItsTimeIsOverIsKilled() throws Exception {
    Path out = directory.resolve("out");
    Future<Integer> running =
        startForAMoment(
            out, bash("trap '' TERM; echo ready >" + out + "; while :; do sleep 0.05; done"));

    assertThat(running.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(124);
    assertThat(said.toString()).contains("is killed");
  }

  /**
   * Starts a command whose time is over soon, and returns when it has written into the file, which
   * it does when it has set its traps. If the machine gave it no time for that, it gets twice as
   * much, under a new grant.
   */
  private Future<Integer> startForAMoment(Path out, List<String> command) throws Exception {
    for (Duration time = Duration.ofMillis(300);
        time.compareTo(TIMEOUT) < 0;
        time = time.multipliedBy(2)) {
      Future<Integer> running =
          start(new LockedRun(grant, () -> TTL, reporter()).atMost(time), command);
      await().atMost(TIMEOUT).until(() -> isWritten(out) || running.isDone());
      if (isWritten(out)) {
        return running;
      }
      assertThat(running.get()).as(said.toString()).isEqualTo(124);
      said.clear();
      grant = grant(TTL);
    }
    throw new AssertionError("The command never began.");
  }

  @Test
  void aCommandThatEndsInTimeKeepsItsExitCode() throws Exception {
    LockedRun run = new LockedRun(grant, () -> TTL, reporter()).atMost(TIMEOUT);

    assertThat(start(run, bash("exit 3")).get()).isEqualTo(3);
    assertThat(said).isEmpty();
  }

  @Test
  void signalsArePassedToTheWholeGroupAndTheLockIsKept() throws Exception {
    Path out = directory.resolve("out");
    Future<Integer> running =
        start(
            bash(
                "trap 'echo hup >>%1$s' HUP; trap 'echo int >>%1$s' INT; trap 'echo term >>%1$s; exit 9' TERM;"
                        .formatted(out)
                    + "echo ready >%s; while :; do sleep 0.05; done".formatted(out)));
    awaitText(out);

    signals.received(Signal.HUP);
    await().atMost(TIMEOUT).until(() -> text(out).contains("hup"));
    signals.received(Signal.INT);
    await().atMost(TIMEOUT).until(() -> text(out).contains("int"));
    assertThat(grant.isReleased()).isFalse();
    signals.received(Signal.TERM);

    assertThat(running.get()).isEqualTo(9);
    assertThat(said).isEmpty();
  }

  @Test
  void aCommandThatIsToldToStopStandsStillUntilItIsToldToGoOn() throws Exception {
    Path out = directory.resolve("out");
    Future<Integer> running = start(ticking(out));
    awaitText(out);

    signals.received(Signal.TSTP);
    await().atMost(TIMEOUT).until(() -> isStopped(out));
    assertThat(grant.isReleased()).isFalse();
    signals.received(Signal.CONT);
    await().atMost(TIMEOUT).until(() -> !isStopped(out));
    signals.received(Signal.TERM);

    assertThat(running.get()).isEqualTo(128 + 15);
    assertThat(said).isEmpty();
  }

  @Test
  void aCommandThatWasStoppedDoesNotGoOnOnceTheLockIsLost() throws Exception {
    Path out = directory.resolve("out");
    Path wentOn = directory.resolve("on");
    Future<Integer> running =
        start(
            bash("trap 'touch " + wentOn + "' CONT; echo $$ >" + out + "; sleep 1000; sleep 1000"));
    awaitText(out);
    signals.received(Signal.TSTP);
    await().atMost(TIMEOUT).until(() -> isStopped(out));

    grant.lose(LossReason.REVOKED);
    signals.received(Signal.CONT);

    assertThat(running.get()).isEqualTo(LockedRun.EXIT_LOST);
    assertThat(wentOn).doesNotExist();
  }

  private static List<String> ticking(Path out) {
    return bash("echo $$ >" + out + "; while :; do sleep 0.05; done");
  }

  /** Whether the process whose number is in the file is stopped, as the kernel tells. */
  private static boolean isStopped(Path pidFile) throws Exception {
    return ProcessHandle.of(Long.parseLong(text(pidFile))).stream()
        .anyMatch(LockedRunTest::isStopped);
  }

  private static boolean isStopped(ProcessHandle process) {
    try {
      String stat = Files.readString(Path.of("/proc/" + process.pid() + "/stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'T';
    } catch (IOException e) {
      return false; // It has ended.
    }
  }

  @Test
  void aSignalThatCameBeforeTheGroupWasThereIsNotForgotten() throws Exception {
    LockedRun run = new LockedRun(grant, () -> TTL, reporter());

    Future<Integer> running =
        thread.submit(
            () ->
                run.run(bash("sleep 1000"), environment -> signals.received(Signal.TERM), signals));

    assertThat(running.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(128 + 15);
  }

  @Test
  void aCommandWhoseSessionWasEndedIsKilledAtOnce() throws Exception {
    Path out = directory.resolve("out");
    Future<Integer> running = start(bash("trap '' TERM; echo $$ >" + out + "; sleep 1000; true"));
    long group = Long.parseLong(awaitText(out));

    grant.lose(LossReason.SESSION_ENDED);

    assertThat(running.get()).isEqualTo(LockedRun.EXIT_LOST);
    assertThat(ProcessTable.membersOf(group)).isEmpty();
    assertThat(said).anyMatch(line -> line.contains("the store has ended its session"));
  }

  @Test
  void aRevokedCommandMayEndByItself() throws Exception {
    Path out = directory.resolve("out");
    Future<Integer> running =
        start(
            bash(
                "trap 'echo cleaned >%1$s; exit 0' TERM; echo ready >%1$s; while :; do sleep 0.05; done"
                    .formatted(out)));
    awaitText(out);

    grant.lose(LossReason.REVOKED);

    assertThat(running.get()).isEqualTo(LockedRun.EXIT_LOST);
    assertThat(text(out)).isEqualTo("cleaned");
  }

  @Test
  void aRevokedCommandThatDoesNotEndIsKilledBeforeItsLeaseEnds() throws Exception {
    Duration ttl = Duration.ofSeconds(6);
    grant = grant(ttl);
    Path out = directory.resolve("out");
    Future<Integer> running =
        start(ttl, bash("trap '' TERM; echo ready >" + out + "; while :; do sleep 0.05; done"));
    awaitText(out);

    grant.lose(LossReason.REVOKED);

    assertThat(running.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LockedRun.EXIT_LOST);
    assertThat(said).anyMatch(line -> line.contains("killed"));
  }

  @Test
  void aCommandWhoseLeaseIsNotRenewedIsToldAndThenKilledBeforeTheLeaseEnds() throws Exception {
    Path out = directory.resolve("out");
    // Between the two there are seconds, in which a slow machine runs what the command does. One
    // that stands still for all of them does not, and gets more.
    loseByNoRenewal(Duration.ofSeconds(15), out);
    for (int seconds = 30; seconds <= 60 && !text(out).contains("told"); seconds *= 2) {
      Files.delete(out);
      said.clear();
      heldWhenToldFirst.set(null);
      loseByNoRenewal(Duration.ofSeconds(seconds), out);
    }

    assertThat(text(out)).contains("told");
    assertThat(said).anyMatch(line -> line.contains("could not be renewed"));
    assertThat(heldWhenToldFirst).as("told while the lease lasts").hasValue(true);
  }

  /** Returns when the command, which writes what it is told, has ended. */
  private void loseByNoRenewal(Duration ttl, Path out) throws Exception {
    grant = grant(ttl);
    Future<Integer> running =
        start(
            ttl,
            bash(
                "trap 'echo told >>%1$s' TERM; echo ready >%1$s; while :; do sleep 0.05; done"
                    .formatted(out)));
    awaitText(out);

    grant.stopBeating();

    assertThat(running.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(LockedRun.EXIT_LOST);
  }

  @Test
  void aReleaseThatTheStoreDidNotAnswerIsToldAndTheExitCodeIsStillTheCommands() throws Exception {
    grant.outcome(ReleaseOutcome.PENDING);

    assertThat(run(bash("exit 4"))).isEqualTo(4);

    assertThat(said).anyMatch(line -> line.contains("did not answer"));
  }

  @Test
  void aGrantThatWasGoneWhenItWasGivenBackIsALoss() throws Exception {
    grant.outcome(ReleaseOutcome.LOST);

    assertThat(run(bash("exit 0"))).isEqualTo(LockedRun.EXIT_LOST);
  }

  private FakeGrant grant(Duration ttl) {
    return new FakeGrant("demo", ttl, () -> {});
  }

  private int run(List<String> command) throws Exception {
    return start(command).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }

  private Future<Integer> start(List<String> command) {
    return start(TTL, command);
  }

  private Future<Integer> start(Duration ttl, List<String> command) {
    return start(new LockedRun(grant, () -> ttl, reporter()), command);
  }

  private Future<Integer> start(LockedRun run, List<String> command) {
    return thread.submit(() -> run.run(command, environment -> {}, signals));
  }

  private LockedRun.Reporter reporter() {
    return new LockedRun.Reporter() {
      @Override
      public void note(String text) {
        said.add(text);
      }

      @Override
      public void error(String text) {
        heldWhenToldFirst.compareAndSet(null, grant.isHeld());
        said.add(text);
      }
    };
  }
}
