package io.holdfast.testing.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.tck.server.ShiftedClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Scanner;
import org.assertj.core.data.TemporalUnitOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class ShiftedClockTest {

  private static final TemporalUnitOffset SLOW_MACHINE = within(5, ChronoUnit.MINUTES);

  private final ShiftedClock clock = ShiftedClock.make();

  @AfterEach
  void deleteClock() {
    clock.close();
  }

  /** Tells both of its clocks for every line that it reads, and ends with its input. */
  static final class Clocks {
    private Clocks() {}

    public static void main(String[] arguments) {
      Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8);
      while (lines.hasNextLine()) {
        lines.nextLine();
        System.out.println(System.currentTimeMillis() + " " + System.nanoTime());
      }
    }
  }

  private Process start(String... command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(clock.environment());
    return builder.start();
  }

  private Instant date(String... command) throws IOException {
    Process date = start(command);
    String printed =
        new String(date.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return Instant.ofEpochSecond(Long.parseLong(printed));
  }

  @Test
  void goesRightAtFirstAndIsSteppedForwardAndBackAndSetRight() throws IOException {
    assertThat(date("date", "+%s")).isCloseTo(Instant.now(), SLOW_MACHINE);

    clock.step(Duration.ofHours(1));
    assertThat(date("date", "+%s"))
        .isCloseTo(Instant.now().plus(1, ChronoUnit.HOURS), SLOW_MACHINE);

    clock.step(Duration.ofHours(-2).minusNanos(1));
    assertThat(date("date", "+%s"))
        .isCloseTo(Instant.now().minus(1, ChronoUnit.HOURS), SLOW_MACHINE);

    clock.setRight();
    assertThat(date("date", "+%s")).isCloseTo(Instant.now(), SLOW_MACHINE);
  }

  @Test
  void childrenOfAProcessGoByItToo() throws IOException {
    clock.step(Duration.ofHours(1));

    assertThat(date("/bin/sh", "-c", "(sleep 0; date +%s) | cat"))
        .isCloseTo(Instant.now().plus(1, ChronoUnit.HOURS), SLOW_MACHINE);
  }

  /** As servers do that must not be run by root. */
  @Test
  void anotherUsersProcessGoesByItToo() throws IOException {
    clock.step(Duration.ofHours(1));
    List<String> command = UnprivilegedUser.preferring("nobody").command(List.of("date", "+%s"));

    assertThat(date(command.toArray(new String[0])))
        .isCloseTo(Instant.now().plus(1, ChronoUnit.HOURS), SLOW_MACHINE);
  }

  @Test
  void aRunningProcessSeesTheStepAtOnceAndItsMonotonicClockDoesNot() throws IOException {
    Process java =
        start(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Clocks.class.getName());
    try (Scanner answers = new Scanner(java.getInputStream(), StandardCharsets.UTF_8);
        var lines = java.outputWriter(StandardCharsets.UTF_8)) {
      lines.write("before\n");
      lines.flush();
      long wallMillis = answers.nextLong();
      long nanos = answers.nextLong();

      clock.step(Duration.ofHours(-1));
      lines.write("after\n");
      lines.flush();

      assertThat(Instant.ofEpochMilli(answers.nextLong()))
          .isCloseTo(Instant.ofEpochMilli(wallMillis).minus(1, ChronoUnit.HOURS), SLOW_MACHINE);
      assertThat(Duration.ofNanos(answers.nextLong() - nanos))
          .isBetween(Duration.ZERO, Duration.ofMinutes(5));
    } finally {
      java.destroyForcibly();
    }
  }

  /** Else a test would pass by the true clock. */
  @Test
  void aProcessThatCannotReadTheClockEndsAtOnce() throws Exception {
    clock.close();

    assertThat(start("date").waitFor()).isNotZero();
  }
}
