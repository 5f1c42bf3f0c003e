package io.holdfast.cli.commands;

import static io.holdfast.cli.run.Commands.TIMEOUT;
import static io.holdfast.cli.run.Commands.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.AcquireOptions;
import io.holdfast.ReleaseOutcome;
import io.holdfast.cli.Cli;
import io.holdfast.cli.FakeGrant;
import io.holdfast.cli.environment.LauncherVariables;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.LockInterruptedException;
import io.holdfast.error.LockQueueFullException;
import io.holdfast.error.LockTimeoutException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunCommandTest {

  @TempDir private Path directory;
  private final Cli cli = new Cli();

  @Test
  void theCommandLearnsLockTokenAndSequencer() {
    Path out = directory.resolve("out");

    int code =
        cli.run(
            "run",
            "demo",
            "--",
            "sh",
            "-c",
            "echo $HOLDFAST_LOCK,$HOLDFAST_TOKEN,$HOLDFAST_SEQUENCER >" + out + "; exit 3");

    assertThat(code).isEqualTo(3);
    assertThat(text(out)).isEqualTo("demo,1740800000000000000,demo:exclusive:1740800000000000000");
    assertThat(cli.out()).as("standard output belongs to the command").isEmpty();
    assertThat(cli.client.closed).isTrue();
  }

  @Test
  void itWaitsForEverUnlessToldOtherwise() {
    assertThat(asked("run", "demo", "--", "true").maxWait()).isEmpty();
    assertThat(asked("run", "demo", "--wait", "forever", "--", "true").maxWait()).isEmpty();
    assertThat(asked("run", "demo", "--wait", "0s", "--", "true").maxWait())
        .isEqualTo(Optional.of(Duration.ZERO));
    assertThat(asked("run", "--wait=1m", "demo", "--", "true").maxWait())
        .isEqualTo(Optional.of(Duration.ofMinutes(1)));
  }

  @Test
  void ttlAndWhyArePassedOn() {
    AcquireOptions asked =
        asked("run", "demo", "--ttl", "40s", "--why", "nightly run", "--", "true");

    assertThat(asked.ttl()).isEqualTo(Optional.of(Duration.ofSeconds(40)));
    assertThat(asked.why()).isEqualTo("nightly run");
  }

  @Test
  void whatFollowsTheDashesIsTheCommandsOwn() {
    Path out = directory.resolve("out");

    int code =
        cli.run(
            "run",
            "demo",
            "--",
            "sh",
            "-c",
            "printf '%s;' \"$@\" >" + out,
            "sh",
            "--wait",
            "x",
            "--",
            "-h",
            "list",
            "@none",
            "");

    assertThat(code).isZero();
    assertThat(text(out)).isEqualTo("--wait;x;--;-h;list;@none;;");
  }

  @Test
  void aNameMayBeginWithADashBehindTheDashes() {
    assertThat(cli.run("run", "--", "-odd", "sh", "-c", "exit 5")).isEqualTo(5);
  }

  @Test
  void aWordBeforeTheDashesThatIsNotTheNameIsRefused() {
    assertThat(cli.run("run", "demo", "nightly", "--", "true")).isEqualTo(64);

    assertThat(cli.err()).contains("nightly");
    assertThat(cli.client.asked).as("nothing was locked").isNull();
  }

  @Test
  void aStoreThatIsDownIsWaitedForAsLongAsTheLock() {
    AtomicInteger attempts = new AtomicInteger();
    cli.connector =
        (uri, listener) -> {
          if (attempts.incrementAndGet() < 3) {
            throw new BackendUnreachableException("down");
          }
          return cli.client;
        };

    assertThat(cli.run("run", "demo", "--", "true")).isZero();

    assertThat(attempts).hasValue(3);
    assertThat(cli.err()).containsOnlyOnce("waiting for the store: down");
  }

  @Test
  void aStoreThatIsDownFailsAtOnceWhereNothingIsToBeWaitedFor() {
    cli.connectionFailsWith(new BackendUnreachableException("down"));

    assertThat(cli.run("run", "demo", "--wait", "0s", "--", "true")).isEqualTo(69);

    assertThat(cli.err())
        .isEqualTo(
            """
            holdfast: down
            holdfast: at: the store from HOLDFAST_BACKEND
            holdfast: to do: check that the store is running and can be reached from this machine; 'holdfast run' waits for it with --wait or --retry
            """);
  }

  @Test
  void withRetryOneAttemptIsMadeAtTheLockAsSoonAsTheStoreIsThere() {
    AtomicInteger attempts = new AtomicInteger();
    cli.connector =
        (uri, listener) -> {
          if (attempts.incrementAndGet() < 2) {
            throw new BackendUnreachableException("down");
          }
          return cli.client;
        };
    cli.client.acquiring =
        options -> {
          if (attempts.incrementAndGet() < 4) {
            throw new BackendUnreachableException("down again");
          }
          return new FakeGrant("demo", Duration.ofSeconds(15), () -> {});
        };

    assertThat(asked("run", "demo", "--wait", "0s", "--retry", "forever", "--", "true").maxWait())
        .isEqualTo(Optional.of(Duration.ZERO));

    assertThat(attempts).hasValue(4);
    assertThat(cli.err()).contains("waiting for the store: down again");
  }

  @Test
  void whatTheStoreHasNotDoneInTheTimeForRetriesIsGivenUp() {
    AtomicInteger attempts = new AtomicInteger();
    cli.client.acquiring =
        options -> {
          attempts.incrementAndGet();
          throw new BackendUnreachableException("down");
        };

    assertThat(cli.run("run", "demo", "--wait", "0s", "--retry", "1s", "--", "true")).isEqualTo(69);

    assertThat(attempts).hasValueGreaterThan(1);
  }

  @Test
  void aLockThatIsHeldByOthersIsNoReasonToTryAgain() {
    AtomicInteger attempts = new AtomicInteger();
    cli.client.acquiring =
        options -> {
          attempts.incrementAndGet();
          throw new LockTimeoutException("busy");
        };

    assertThat(cli.run("run", "demo", "--wait", "0s", "--retry", "forever", "--", "true"))
        .isEqualTo(75);

    assertThat(attempts).hasValue(1);
  }

  /** The reason in the message is that of another user. */
  @Test
  void whatOthersGiveAsTheirReasonCannotSteerTheTerminal() {
    cli.acquiringFailsWith(
        new LockTimeoutException(
            "ann@a:1 holds it (red\u001b[31m\nholdfast: all is well\r\u202e)"));

    assertThat(cli.run("run", "demo", "--wait", "0s", "--", "true")).isEqualTo(75);

    assertThat(cli.err()).contains("red\ufffd[31m").doesNotContain("\u001b", "\r", "\u202e");
    assertThat(cli.err().lines()).allMatch(line -> line.startsWith("holdfast: "));
  }

  @Test
  void aFullQueueIsNoErrorOfTheCommand() {
    cli.client.acquiring =
        options -> {
          throw new LockQueueFullException("The queue of lock \"demo\" is full.");
        };

    assertThat(cli.run("run", "demo", "--", "true")).isEqualTo(75);

    assertThat(cli.err()).contains("is full").contains("maxWaiters").doesNotContain("internal");
  }

  @Test
  void whoStandsForElectionStandsAgainWhenThereIsRoomInTheQueue() {
    AtomicInteger attempts = new AtomicInteger();
    cli.client.acquiring =
        options -> {
          if (attempts.incrementAndGet() == 1) {
            throw new LockQueueFullException("The queue of lock \"demo\" is full.");
          }
          return new FakeGrant("demo", Duration.ofSeconds(15), () -> {});
        };

    assertThat(cli.run("elect", "demo", "--on-exit", "exit", "--", "sh", "-c", "exit 3"))
        .isEqualTo(3);
    assertThat(cli.err()).contains("is full. This process stands again in 1.0 s");
  }

  @Test
  void aCommandThatHasBegunIsNotRunAgain() {
    Path out = directory.resolve("out");
    cli.client.acquiring =
        options -> {
          FakeGrant grant = new FakeGrant("demo", Duration.ofSeconds(15), () -> {});
          grant.outcome(ReleaseOutcome.PENDING);
          return grant;
        };

    assertThat(
            cli.run("run", "demo", "--retry", "forever", "-c", "echo ran >>" + out + "; exit 69"))
        .isEqualTo(69);

    assertThat(text(out)).isEqualTo("ran");
  }

  @Test
  void aSignalEndsThePausesBetweenRetries() {
    AtomicBoolean sent = new AtomicBoolean();
    cli.client.acquiring =
        options -> {
          // Once: a second one may come when nothing catches it any more, and would end this JVM.
          if (!sent.getAndSet(true)) {
            try {
              long self = ProcessHandle.current().pid();
              new ProcessBuilder("sh", "-c", "kill -s TERM " + self).start();
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          }
          throw new BackendUnreachableException("down");
        };

    assertThat(cli.run("run", "demo", "--wait", "0s", "--retry", "forever", "--", "true"))
        .isEqualTo(128 + 15);

    assertThat(cli.client.closed).isTrue();
  }

  @Test
  void aLineOfTheShellMayStandInPlaceOfTheCommand() {
    Path out = directory.resolve("out");

    assertThat(cli.run("run", "demo", "-c", "echo $HOLDFAST_LOCK | tr d D >" + out + " && exit 7"))
        .isEqualTo(7);

    assertThat(text(out)).isEqualTo("Demo");
    assertThat(cli.run("run", "demo", "-c", "true", "--", "true")).isEqualTo(64);
    assertThat(cli.err()).contains("beside -c");
  }

  @Test
  void aSignalThatIsIgnoredByDefaultEndsNoWait() throws Exception {
    cli.client.acquiring =
        options -> {
          try {
            long self = ProcessHandle.current().pid();
            new ProcessBuilder("sh", "-c", "kill -s WINCH " + self + "; kill -s CONT " + self)
                .start()
                .waitFor();
          } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
          }
          return new FakeGrant("demo", Duration.ofSeconds(15), () -> {});
        };

    assertThat(cli.run("run", "demo", "--", "true")).isZero();
  }

  @Test
  void whoWaitsForLongIsToldForWhom() {
    cli.client.acquiring =
        options -> {
          await().atMost(TIMEOUT).until(() -> cli.err().contains("waiting for \"demo\""));
          return new FakeGrant("demo", Duration.ofSeconds(15), () -> {});
        };

    assertThat(cli.run("run", "demo", "--", "true")).isZero();
  }

  @Test
  void aSignalWhileWaitingEndsTheWaitWithItsExitCode() throws Exception {
    cli.client.acquiring =
        options -> {
          try {
            long self = ProcessHandle.current().pid();
            new ProcessBuilder("sh", "-c", "kill -s TERM " + self).start();
            TimeUnit.SECONDS.sleep(TIMEOUT.toSeconds());
            throw new AssertionError("not interrupted");
          } catch (IOException e) {
            throw new AssertionError(e);
          } catch (InterruptedException e) {
            throw new LockInterruptedException("interrupted", e);
          }
        };

    assertThat(cli.run("run", "demo", "--", "touch", directory.resolve("begun").toString()))
        .isEqualTo(128 + 15);

    assertThat(directory.resolve("begun")).doesNotExist();
    assertThat(cli.client.closed).isTrue();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @Test
  void aLeadThatWasLostWithoutANoticeIsToldWhenItIsGivenBack() {
    releaseAnswers(ReleaseOutcome.LOST);

    assertThat(cli.run("elect", "demo", "--on-exit", "exit", "--", "true")).isEqualTo(74);

    assertThat(cli.err()).contains("the lead was lost, or in doubt: it was already lost when");
  }

  @Test
  void aLeadThatIsPerhapsNotGivenBackIsTold() {
    releaseAnswers(ReleaseOutcome.PENDING);

    assertThat(cli.run("elect", "demo", "--on-exit", "exit", "--", "sh", "-c", "exit 3"))
        .isEqualTo(3);

    assertThat(cli.err()).contains("the store did not answer when \"demo\" was released");
  }

  private void releaseAnswers(ReleaseOutcome outcome) {
    cli.client.acquiring =
        options -> {
          FakeGrant grant = new FakeGrant("demo", options.ttl().orElseThrow(), () -> {});
          grant.outcome(outcome);
          return grant;
        };
  }

  @Test
  void theCommandGetsTheLocaleThatTheLauncherFound() {
    assertThat(restored("=de_DE.UTF-8")).isEqualTo("de_DE.UTF-8");
    assertThat(restored("=")).isEmpty();
    assertThat(restored("")).isNull();
    assertThat(restored(null)).isEqualTo("C.UTF-8");
  }

  @Test
  void theCommandGetsTheOptionsForJavaThatTheLauncherFound() {
    var environment = new HashMap<>(Map.of("HOLDFAST_USERS_JAVA_TOOL_OPTIONS", "-Da='b c'"));

    LauncherVariables.restore(environment);

    assertThat(environment).containsExactly(Map.entry("JAVA_TOOL_OPTIONS", "-Da='b c'"));
  }

  private static @Nullable String restored(@Nullable String property) {
    var environment = new HashMap<>(Map.of("LC_ALL", "C.UTF-8"));
    LauncherVariables.restoreLocale(environment, property);
    return environment.get("LC_ALL");
  }

  private AcquireOptions asked(String... arguments) {
    assertThat(cli.run(arguments)).isZero();
    return Objects.requireNonNull(cli.client.asked);
  }
}
