package io.holdfast.cli;

import static io.holdfast.cli.run.Commands.TIMEOUT;
import static io.holdfast.cli.run.Commands.awaitGroupGone;
import static io.holdfast.cli.run.Commands.awaitText;
import static io.holdfast.cli.run.Commands.isWritten;
import static io.holdfast.cli.run.Commands.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.cli.Tool.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The life of one command under a lock in an SQLite file. */
@Execution(ExecutionMode.CONCURRENT)
class RunIT {

  @TempDir private Path directory;
  private Path file;
  private Tool tool;

  @BeforeEach
  void setUp() {
    tool = new Tool(Tool.built(), directory);
    file = directory.resolve("file");
  }

  @AfterEach
  void tearDown() {
    tool.close();
  }

  @Test
  void standardOutputBelongsToTheCommand() throws Exception {
    Run run = tool.run("run", "demo", "--", "sh", "-c", "echo token=$HOLDFAST_TOKEN; exit 4");

    assertThat(run.process().exitValue()).isEqualTo(4);
    assertThat(run.out()).matches("token=[1-9][0-9]*");
    assertThat(run.err()).contains("holdfast: using ").contains("(from HOLDFAST_BACKEND)");
  }

  @Test
  void argumentsThatAreNotEnglishArriveAlsoInTheLocaleOfCron() throws Exception {
    Run run =
        tool.start(
            List.of("LANG", "LC_ALL", "LC_CTYPE"),
            "run",
            "schloß",
            "--",
            "sh",
            "-c",
            "echo $HOLDFAST_LOCK $1 ${LC_ALL-unset}",
            "sh",
            "größe");

    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo("schloß größe unset");
  }

  @Test
  void argumentsThatCouldNotArriveAsTheyAreAreRefused() throws Exception {
    String holdfast = "'" + Tool.built().resolve("bin/holdfast") + "'";
    // Octal 377 is in no UTF-8; the second one has what the JVM would put in its place.
    Process spoiled = shell(holdfast + " run demo -- touch \"$(printf 'begun\\377')\" 2>told");
    Process written = shell(holdfast + " -q run demo -- touch \"$(printf '\\357\\277\\275')\"");

    assertThat(spoiled.waitFor()).isEqualTo(64);
    assertThat(text(directory.resolve("told"))).startsWith("holdfast: ").contains("UTF-8");
    assertThat(directory).isDirectoryNotContaining("glob:**begun*");
    assertThat(written.waitFor()).isZero();
  }

  @Test
  void nothingOfTheCommandOutlivesAToolThatWasKilled() throws Exception {
    Run run = tool.start("run", "demo", "--ttl", "6s", "--", "sh", "-c", grandchildren());
    long group = Long.parseLong(awaitText(file));

    run.signal("KILL");

    awaitGroupGone(group);
    assertThat(tool.run("run", "demo", "--", "true").process().exitValue())
        .as("the lock is had again when the lease is over")
        .isZero();
  }

  /** A shell that has it in place of its own echo would tell the keeper nothing. */
  @Test
  void functionsThatTheUserHasExportedAreForTheCommandAlone() throws Exception {
    Path pid = directory.resolve("pid");
    Run run =
        tool.start(
            List.of(
                "BASH_FUNC_echo%%=() { printf 'mine\\n'; }",
                "BASH_FUNC_cd%%=() { builtin cd \"$@\" && echo now in $PWD; }"),
            "run",
            "demo",
            "--",
            "bash",
            "-c",
            "echo; printf $$ >" + pid + "; sleep 1000 & sleep 1000; true");
    long group = Long.parseLong(awaitText(pid));
    assertThat(run.out()).isEqualTo("mine");

    run.process().destroyForcibly();

    awaitGroupGone(group);
  }

  @Test
  void aCommandThatHangsGivesTheLockUpWhenItsTimeIsOver() throws Exception {
    Run run = runFor(1);
    // A machine that stood still had no time for the command to begin.
    for (int seconds = 2; seconds < 60 && !isWritten(file); seconds *= 2) {
      run = runFor(seconds);
    }

    assertThat(run.process().exitValue()).isEqualTo(124);
    awaitGroupGone(Long.parseLong(text(file)));
    assertThat(run.err()).contains("--at-most");
    assertThat(tool.run("run", "demo", "--wait", "0s", "--", "true").process().exitValue())
        .isZero();
  }

  private Run runFor(int seconds) throws Exception {
    return tool.run("run", "demo", "--at-most", seconds + "s", "--", "sh", "-c", grandchildren());
  }

  /** The first ends when the second has begun. */
  @Test
  void commandsThatShareTheLockRunTogetherAndOneThatDoesNotWaits() throws Exception {
    Path other = directory.resolve("other");
    Run first = sharing("echo here >'%s'; while [ ! -e '%s' ]; do sleep 0.05; done", file, other);
    String unused = awaitText(file);

    assertThat(alone()).isEqualTo(75);
    assertThat(sharing("touch '%s'", other).exitCode()).isZero();
    assertThat(first.exitCode()).isZero();
    assertThat(alone()).isZero();
  }

  private Run sharing(String script, Object... files) throws Exception {
    return tool.start("run", "--shared", "demo", "--", "sh", "-c", script.formatted(files));
  }

  private int alone() throws Exception {
    return tool.run("run", "demo", "--wait", "0s", "--", "true").process().exitValue();
  }

  @Test
  void aJobThatTenProcessesStartRunsOnce() throws Exception {
    new OnceJob(file, 10).startOn(tool);
  }

  @Test
  void aJobThatNeverBeganLeavesItsLockFree() throws Exception {
    assertThat(once("/no/such")).isEqualTo(127);
    assertThat(once(directory.toString())).isEqualTo(126);
    assertThat(once("sh", "-c", "exit 127")).isEqualTo(127);
    assertThat(once("true")).as("after a job that ended with 127 itself").isEqualTo(75);
  }

  @Test
  void aCommandThatCannotBeRunIsToldOfAsEveryError() throws Exception {
    Run missing = tool.run("run", "-q", "demo", "--", "/no/such", "word");
    Run folder = tool.run("run", "-q", "demo", "--", directory.toString());

    assertThat(missing.process().exitValue()).isEqualTo(127);
    assertThat(missing.err().lines())
        .containsExactly(
            "holdfast: \"demo\": the command \"/no/such\" was not found",
            "holdfast: to do: correct its name, add its directory to PATH, or install the interpreter that it names");
    assertThat(folder.process().exitValue()).isEqualTo(126);
    assertThat(folder.err().lines())
        .containsExactly(
            "holdfast: \"demo\": the command \"%s\" cannot be executed".formatted(directory),
            "holdfast: to do: name a program, or a script that may be executed");
  }

  private int once(String... command) throws Exception {
    String[] words =
        Stream.concat(
                Stream.of("run", "nightly", "--at-least", "1h", "--wait", "0s", "--retry", "5m"),
                Stream.concat(Stream.of("--"), Stream.of(command)))
            .toArray(String[]::new);
    return tool.run(words).process().exitValue();
  }

  @Test
  void nothingOfTheCommandOutlivesTheLeaseOfAToolThatIsStopped() throws Exception {
    Run run = tool.start("run", "demo", "--ttl", "6s", "--", "sh", "-c", grandchildren());
    long group = Long.parseLong(awaitText(file));

    run.signal("STOP");

    awaitGroupGone(group);
    assertThat(tool.run("run", "demo", "--", "true").process().exitValue()).isZero();
    assertThat(run.process().isAlive()).isTrue();
    run.signal("CONT");
    assertThat(run.exitCode()).isEqualTo(74);
    assertThat(run.err()).contains("stopped, asleep");
  }

  @Test
  void aReaderOfOurStandardOutputSeesItsEndWhenTheToolWasKilled() throws Exception {
    String holdfast = "'" + Tool.built().resolve("bin/holdfast") + "'";
    Process pipeline =
        shell(
            holdfast
                + " run demo -- sh -c 'echo $PPID >file; sleep 1000; true' 2>/dev/null | cat;"
                + " echo ended >ended");
    long pid = Long.parseLong(awaitText(file));

    ProcessHandle.of(pid).orElseThrow().destroyForcibly();

    assertThat(awaitText(directory.resolve("ended"))).isEqualTo("ended");
    assertThat(pipeline.waitFor()).isZero();
  }

  @Test
  void termIsPassedOnAndTheLockIsFreedWhenTheCommandHasEnded() throws Exception {
    Run run =
        tool.start(
            "run",
            "demo",
            "--",
            "sh",
            "-c",
            "trap 'sleep 0.3; echo done >file; exit 9' TERM; echo ready >file; while :; do sleep 0.05; done");
    awaitText(file);
    Run next = tool.start("run", "demo", "--", "cat", "file");
    await().atMost(TIMEOUT).until(() -> waiters() == 1);

    run.signal("TERM");

    assertThat(run.exitCode()).isEqualTo(9);
    assertThat(next.exitCode()).isZero();
    assertThat(next.out()).isEqualTo("done");
  }

  @Test
  void aSignalOfTheUsersOwnReachesTheCommandAndTheLockIsGivenBack() throws Exception {
    Run run =
        tool.start(
            "run",
            "demo",
            "--",
            "sh",
            "-c",
            "trap 'echo usr1 >told; exit 5' USR1; echo ready >file; while :; do sleep 0.05; done");
    awaitText(file);

    run.signal("QUIT"); // Which nobody can pass on: it has no effect, and shows no threads.
    run.signal("USR1");

    assertThat(run.exitCode()).isEqualTo(5);
    assertThat(text(directory.resolve("told"))).isEqualTo("usr1");
    assertThat(run.err() + run.out()).doesNotContain("thread dump");
    assertThat(isHeld()).isFalse();
  }

  /** Else the next one, which does not wait, would find it taken and run nothing. */
  @Test
  void anySignalThatEndsTheCommandGivesTheLockBackAtOnce() throws Exception {
    for (String signal : List.of("USR2", "ALRM", "PROF", "XCPU", "IO", "PWR", "ABRT")) {
      Files.deleteIfExists(file);
      Run run =
          tool.start(
              "run", "demo", "--wait", "0s", "--", "sh", "-c", "echo ready >file; exec sleep 1000");
      await().atMost(TIMEOUT).until(() -> Files.exists(file) || !run.process().isAlive());

      run.signal(signal);

      assertThat(run.exitCode()).as("at %s: %s", signal, run.err()).isGreaterThan(128);
    }
    assertThat(isHeld()).isFalse();
  }

  private boolean isHeld() throws Exception {
    return tool.run("inspect", "demo", "--json", "--quiet").out().contains("\"held\":true");
  }

  @Test
  void oneThatWaitsGivesUpItsPlaceWhenItIsTold() throws Exception {
    Run run = tool.start("run", "demo", "--", "sh", "-c", "echo ready >file; sleep 1000");
    awaitText(file);
    Run waiting = tool.start("run", "demo", "--", "touch", "begun");
    await().atMost(TIMEOUT).until(() -> waiters() == 1);

    waiting.signal("TERM");

    assertThat(waiting.exitCode()).isEqualTo(143);
    assertThat(waiters()).isZero();
    assertThat(directory.resolve("begun")).doesNotExist();
    assertThat(run.process().isAlive()).isTrue();
  }

  @Test
  void oneAttemptOnABusyLockIs75() throws Exception {
    tool.start("run", "demo", "--", "sh", "-c", "echo ready >file; sleep 1000");
    awaitText(file);

    Run run = tool.run("run", "demo", "--wait", "0s", "--", "touch", "begun");

    assertThat(run.process().exitValue()).isEqualTo(75);
    assertThat(directory.resolve("begun")).doesNotExist();
  }

  @Test
  void breakEvictsTheHolderAndTheNextOneHasTheLockWhenTheCommandHasEnded() throws Exception {
    // Long enough that no machine that stands still ends the command before it is evicted.
    Run run =
        tool.start(
            "run",
            "demo",
            "--ttl",
            "15s",
            "--",
            "sh",
            "-c",
            "trap 'sleep 0.3; echo done >file; exit 0' TERM; echo ready >file; while :; do sleep 0.05; done");
    awaitText(file);
    Run next = tool.start("run", "demo", "--", "cat", "file");
    await().atMost(TIMEOUT).until(() -> waiters() == 1);

    Run broken = tool.run("break", "demo", "--yes", "--json");

    assertThat(broken.process().exitValue()).isZero();
    assertThat(broken.out()).contains("\"outcome\":\"marked\"");
    assertThat(run.exitCode()).isEqualTo(74);
    assertThat(run.err()).contains("revoked");
    assertThat(next.exitCode()).isZero();
    assertThat(next.out()).isEqualTo("done");
  }

  @Test
  void aLockFileThatIsRemovedEndsTheCommand() throws Exception {
    Run run = tool.start("run", "demo", "--ttl", "6s", "--", "sh", "-c", grandchildren());
    long group = Long.parseLong(awaitText(file));

    for (String suffix : List.of("", "-wal", "-shm")) {
      Files.deleteIfExists(directory.resolve("locks.db" + suffix));
    }

    assertThat(run.exitCode()).isEqualTo(74);
    awaitGroupGone(group);
  }

  @Test
  void aStoreThatCannotBeReachedIs69() throws Exception {
    Run run = tool.run("run", "demo", "-b", "jdbc:sqlite:/nowhere/at/all.db", "--", "true");

    assertThat(run.process().exitValue()).isEqualTo(69);
    assertThat(run.err()).startsWith("holdfast: ").contains("/nowhere/at");
  }

  private Process shell(String script) throws IOException {
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", script);
    builder.directory(directory.toFile());
    builder.environment().put("HOLDFAST_BACKEND", "jdbc:sqlite:" + directory.resolve("locks.db"));
    return builder.start();
  }

  private long waiters() throws Exception {
    String json = tool.run("inspect", "demo", "--json", "--quiet").out();
    return json.substring(json.indexOf("\"waiters\"")).split("\"process\"", -1).length - 1L;
  }

  private static String grandchildren() {
    return "sleep 1000 & (sleep 1000; true) & echo $$ >file; sleep 1000; true";
  }
}
