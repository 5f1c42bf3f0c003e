package io.holdfast.cli;

import static io.holdfast.cli.run.Commands.TIMEOUT;
import static io.holdfast.cli.run.Commands.awaitText;
import static io.holdfast.cli.run.Commands.isWritten;
import static io.holdfast.cli.run.Commands.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A command that has the terminal, started by a shell with job control as a user has one. Commands
 * that are stopped are bash's, for the reason that {@code Commands.bash} gives.
 */
class ForegroundIT {

  private static final String CTRL_C = "\003";
  private static final String CTRL_Z = "\032";
  private static final String CTRL_D = "\004";

  @TempDir private Path directory;
  private Process terminal;
  private OutputStream keys;

  @BeforeEach
  void openTerminal() throws IOException {
    Path shell = Files.writeString(directory.resolve("shell"), "exec bash --norc --noprofile -i\n");
    // Whoever started the build may ignore signals, nohup for one, and a shell hands that on.
    ProcessBuilder builder =
        new ProcessBuilder("env", "--default-signal", "script", "-qec", "sh " + shell, "/dev/null");
    builder.directory(directory.toFile());
    builder.environment().put("HOLDFAST_BACKEND", "jdbc:sqlite:" + directory.resolve("locks.db"));
    builder.environment().put("HISTFILE", "/dev/null");
    builder.redirectErrorStream(true);
    builder.redirectOutput(Redirect.to(directory.resolve("screen").toFile()));
    terminal = builder.start();
    keys = terminal.getOutputStream();
    type(
        "alias holdfast='" + Tool.built().resolve("bin/holdfast") + "'; shopt -s expand_aliases\n");
  }

  @AfterEach
  void closeTerminal() {
    terminal.descendants().forEach(ProcessHandle::destroyForcibly);
    terminal.destroyForcibly();
  }

  @Test
  void promptsAreAnsweredAtTheTerminal() throws Exception {
    type(
        "holdfast run --foreground demo -- sh -c 'echo x >ready; read a </dev/tty; echo $a >got'\n");
    awaitText(directory.resolve("ready"));

    type("an answer\n");

    assertThat(awaitText(directory.resolve("got"))).isEqualTo("an answer");
  }

  @Test
  void theKeyForInterruptReachesTheCommandAndItsExitCodeTheShell() throws Exception {
    type(
        "holdfast run --foreground demo -- sh -c"
            + " 'trap \"exit 9\" INT; echo x >ready; while :; do sleep 0.05; done'; echo $? >code\n");
    awaitText(directory.resolve("ready"));

    // As a user would: again if nothing has come of it.
    await()
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofSeconds(3))
        .pollDelay(Duration.ZERO)
        .until(
            () -> {
              if (!Files.exists(directory.resolve("code"))) {
                type(CTRL_C);
              }
              return Files.exists(directory.resolve("code"));
            });

    assertThat(awaitText(directory.resolve("code"))).isEqualTo("9");
  }

  @Test
  void theKeyForStopStopsBothAndTheShellLetsBothGoOn() throws Exception {
    type(
        "holdfast run --foreground demo -- bash -c"
            + " 'echo $$ >command; while [ ! -e end ]; do sleep 0.05; done; exit 6'; echo $? >code\n");
    long command = Long.parseLong(awaitText(directory.resolve("command")));

    type(CTRL_Z);
    await().atMost(TIMEOUT).until(() -> state(command) == 'T' && state(tool()) == 'T');
    type("fg; echo $? >code\n");
    await().atMost(TIMEOUT).until(() -> state(command) != 'T' && state(tool()) != 'T');
    Files.createFile(directory.resolve("end"));

    await().atMost(TIMEOUT).until(() -> awaitText(directory.resolve("code")).equals("6"));
  }

  /** Also where its errors go elsewhere: the terminal is given away by way of standard error. */
  @Test
  void theCommandHasTheTerminalAgainAfterEachStop() throws Exception {
    type(
        "holdfast run --foreground demo -- bash -c"
            + " 'echo $$ >command; for i in 1 2 3; do read a </dev/tty; echo $a >got$i; done'"
            + " 2>errors; echo $? >code\n");
    long command = Long.parseLong(awaitText(directory.resolve("command")));

    for (int i = 1; i <= 2; i++) {
      type("line" + i + "\n");
      assertThat(awaitText(directory.resolve("got" + i))).isEqualTo("line" + i);
      type(CTRL_Z);
      await().atMost(TIMEOUT).until(() -> state(command) == 'T' && state(tool()) == 'T');
      type("fg; echo $? >code\n");
      await().atMost(TIMEOUT).until(() -> state(command) != 'T' && state(tool()) != 'T');
    }
    type("line3\n");

    assertThat(awaitText(directory.resolve("got3"))).isEqualTo("line3");
    await().atMost(TIMEOUT).until(() -> awaitText(directory.resolve("code")).equals("0"));
  }

  @Test
  void aCommandThatIsStoppedUntilTheLeaseHasRunOutDoesNotRunAgain() throws Exception {
    // Under a longer lease, if the machine stood still until the command was ended before its stop.
    Optional<Long> stopped = Optional.empty();
    for (int seconds = 6; seconds < 60 && stopped.isEmpty(); seconds *= 2) {
      stopped = startAndStop(seconds);
    }
    long command = stopped.orElseThrow();

    await().atMost(TIMEOUT).until(() -> ProcessHandle.of(command).isEmpty() || isZombie(command));
    type("fg; echo $? >code\n");

    await().atMost(TIMEOUT).until(() -> awaitText(directory.resolve("code")).equals("74"));
    assertThat(directory.resolve("on")).doesNotExist();
  }

  /** Returns the command that the key has stopped; empty if it had ended before. */
  private Optional<Long> startAndStop(int ttlSeconds) throws Exception {
    Path pid = directory.resolve("command");
    Path code = directory.resolve("first-code");
    for (Path left : List.of(pid, code, directory.resolve("on"))) {
      Files.deleteIfExists(left);
    }
    type(
        "holdfast run --foreground --ttl "
            + ttlSeconds
            + "s demo -- bash -c 'trap \"echo x >>on\" CONT; echo $$ >command;"
            + " while :; do sleep 0.05; done'; echo $? >first-code\n");
    await().atMost(TIMEOUT).until(() -> isWritten(pid) || isWritten(code));
    if (isWritten(pid)) {
      type(CTRL_Z);
    }
    // The shell goes on in its line also when a job is stopped.
    return awaitText(code).equals("74") ? Optional.empty() : Optional.of(Long.valueOf(text(pid)));
  }

  /** As an editor that is killed because the lease has run out. */
  @Test
  void theTerminalIsAsItWasAfterACommandThatWasKilled() throws Exception {
    type(
        "stty -a >before; holdfast run --foreground demo -- bash -c"
            + " 'stty raw -echo </dev/tty; stty -a </dev/tty >set; kill -s KILL $$';"
            + " echo $? >code; stty -a >after; echo x >done\n");
    awaitText(directory.resolve("done"));

    assertThat(text(directory.resolve("set"))).contains("-icanon", "-echo ");
    assertThat(text(directory.resolve("code"))).isEqualTo("137");
    assertThat(text(directory.resolve("after"))).isEqualTo(text(directory.resolve("before")));
  }

  @Test
  void whatACommandHasSetItselfBeforeItEndedStays() throws Exception {
    type(
        "holdfast run --foreground demo -- bash -c 'stty -echo </dev/tty; exit 3';"
            + " stty -a >after; stty sane; echo x >done\n");
    awaitText(directory.resolve("done"));

    assertThat(text(directory.resolve("after"))).contains("-echo ");
  }

  @Test
  void aStoppedCommandGoesOnInTheBackgroundToo() throws Exception {
    type(
        "holdfast run --foreground demo -- bash -c"
            + " 'echo $$ >command; while [ ! -e end ]; do sleep 0.05; done; echo x >ended'\n");
    long command = Long.parseLong(awaitText(directory.resolve("command")));
    type(CTRL_Z);
    await().atMost(TIMEOUT).until(() -> state(command) == 'T' && state(tool()) == 'T');

    type("bg; echo x >free\n");
    awaitText(directory.resolve("free"));
    await().atMost(TIMEOUT).until(() -> state(command) != 'T');
    Files.createFile(directory.resolve("end"));

    awaitText(directory.resolve("ended"));
    type("wait\n" + CTRL_D);
    assertThat(terminal.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).as(screen()).isTrue();
  }

  private void type(String text) throws IOException {
    keys.write(text.getBytes(StandardCharsets.UTF_8));
    keys.flush();
  }

  private String screen() {
    return text(directory.resolve("screen"));
  }

  /** The JVM of the tool. */
  private long tool() {
    return terminal
        .descendants()
        .filter(process -> process.info().command().orElse("").endsWith("/java"))
        .findFirst()
        .orElseThrow()
        .pid();
  }

  private static boolean isZombie(long pid) throws IOException {
    return state(pid) == 'Z';
  }

  /** The kernel's letter for what a process does: T where it is stopped. */
  private static char state(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }
}
