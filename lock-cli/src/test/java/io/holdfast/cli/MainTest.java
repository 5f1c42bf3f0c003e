package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.commands.HelpTest;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.ClientClosedException;
import io.holdfast.error.LockTimeoutException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class MainTest {

  private final Cli cli = new Cli();

  @ParameterizedTest
  @MethodSource("io.holdfast.cli.commands.HelpTest#subcommands")
  void everySubcommandHasHelpAndVersion(String command) {
    assertThat(cli.run(command, "--help")).isZero();
    assertThat(cli.out()).contains("Usage: holdfast " + command);
    assertThat(cli.run(command, "--version")).isZero();
    assertThat(cli.out()).contains("holdfast (not built)");
    assertThat(cli.err()).isEmpty();
  }

  @Test
  void theHelpOfTheWholeNamesEverySubcommand() {
    assertThat(cli.run("--help")).isZero();
    assertThat(cli.out()).contains(HelpTest.subcommands().toList());
  }

  @Test
  void badUsageIs64AndToldOnStandardError() {
    for (List<String> bad :
        List.of(
            List.<String>of(),
            List.of("bogus"),
            List.of("run"),
            List.of("run", "demo"),
            List.of("run", "demo", "--"),
            List.of("run", "demo", "true"),
            List.of("run", "demo", "--wait", "10", "--", "true"),
            List.of("run", "demo", "--ttl", "forever", "--", "true"),
            List.of("run", "demo", "--at-most", "0s", "--", "true"),
            List.of("run", "demo", "--at-most", "PT-5S", "--", "true"),
            List.of("run", "demo", "--at-most", "forever", "--", "true"),
            List.of("run", "demo", "--at-most", "366d", "--", "true"),
            List.of("run", "demo", "--at-least", "0s", "--", "true"),
            List.of("run", "demo", "--at-least", "PT-5S", "--", "true"),
            List.of("run", "demo", "--at-least", "25h", "--", "true"),
            List.of("run", "demo", "--lock-delay", "25h", "--", "true"),
            List.of("run", "demo", "--at-least", "2m", "--at-most", "1m", "--", "true"),
            List.of("elect", "demo", "--stop-timeout", "0s", "--", "true"),
            List.of("elect", "demo", "--stop-timeout", "PT-5S", "--", "true"),
            List.of("elect", "demo", "--stop-timeout", "366d", "--", "true"),
            List.of("run", "demo", "-c"),
            List.of("run", "-c", "true"),
            List.of("run", "demo", "true", "-c", "true"),
            List.of("run", "demo", "--retry", "10", "--", "true"),
            List.of("list", "--bogus"),
            List.of("list", "--watch"),
            List.of("deadlocks", "prefix"),
            List.of("watch"),
            List.of("watch", "demo", "--prefix", "d"),
            List.of("inspect"))) {
      Cli fresh = new Cli();
      assertThat(fresh.run(bad.toArray(String[]::new))).as("%s", bad).isEqualTo(64);
      assertThat(fresh.err().lines())
          .as("%s", bad)
          .isNotEmpty()
          .allMatch(l -> l.startsWith("holdfast: "));
      assertThat(fresh.out()).isEmpty();
      assertThat(fresh.client.asked).isNull();
    }
  }

  @Test
  void aBadNameIsBadUsage() {
    assertThat(cli.run("run", "a\nb", "--", "true")).isEqualTo(64);
    assertThat(cli.err()).contains("control characters");
  }

  @Test
  void aBadRequestIs64() {
    cli.connectionFailsWith(new BadRequestException("no such adapter"));
    assertThat(cli.run("list")).isEqualTo(64);
    assertThat(cli.err()).startsWith("holdfast: no such adapter\n");
  }

  @Test
  void aStoreThatIsAwayOrOfNoUseIs69() {
    cli.connectionFailsWith(new BackendUnreachableException("away"));
    assertThat(cli.run("run", "demo", "--wait", "0s", "--", "true")).isEqualTo(69);
    cli.connectionFailsWith(new BackendUnusableException("broken"));
    assertThat(cli.run("run", "demo", "--", "true")).isEqualTo(69);
    assertThat(cli.err().lines())
        .as("what, where, what to do")
        .hasSize(6)
        .contains(
            "holdfast: away", "holdfast: broken", "holdfast: at: the store from HOLDFAST_BACKEND");
  }

  @Test
  void aStoreThatIsStillAwayWhenTheWaitIsOverIs69() {
    cli.acquiringFailsWith(new BackendUnreachableException("away"));
    assertThat(cli.run("run", "demo", "--wait", "1s", "--", "true")).isEqualTo(69);
    assertThat(cli.client.closed).isTrue();
  }

  @Test
  void aLockThatWasNotHadInTimeIs75() {
    cli.acquiringFailsWith(new LockTimeoutException("busy"));
    assertThat(cli.run("run", "demo", "--wait", "0s", "--", "true")).isEqualTo(75);
    assertThat(cli.err())
        .contains("holdfast: busy\n", "holdfast: at: fake (from HOLDFAST_BACKEND)\n");
  }

  @Test
  void quietIsSilentAboutABusyLockButNotAboutErrors() {
    cli.acquiringFailsWith(new LockTimeoutException("busy"));
    assertThat(cli.run("run", "-q", "demo", "--wait", "0s", "--", "true")).isEqualTo(75);
    assertThat(cli.err()).isEmpty();
    cli.connectionFailsWith(new BackendUnreachableException("away"));
    assertThat(cli.run("run", "-q", "demo", "--wait", "0s", "--", "true")).isEqualTo(69);
    assertThat(cli.err()).startsWith("holdfast: away\n");
  }

  @Test
  void aResultThatCouldNotBeWrittenIsNoSuccess() {
    assertThat(cli.runWithRoomFor(5, "inspect", "demo")).isEqualTo(74);
    assertThat(cli.err()).contains("holdfast: standard output could not be written\n");
    assertThat(cli.runWithRoomFor(0, "backends")).isEqualTo(74);
    assertThat(cli.runWithRoomFor(0, "--help")).isEqualTo(74);
    assertThat(cli.runWithRoomFor(0, "run", "demo", "--", "true")).isZero();
  }

  @Test
  void aReaderThatHasReadEnoughIsNotTold() {
    cli.piped = true;
    assertThat(cli.runWithRoomFor(5, "inspect", "demo", "--quiet")).isEqualTo(141);
    assertThat(cli.err()).isEmpty();
  }

  @Test
  void whatNobodyExpectedIs70() {
    cli.connectionFailsWith(new ClientClosedException("closed"));
    assertThat(cli.run("list")).isEqualTo(70);
    assertThat(cli.err()).contains("internal error").doesNotContain("\tat ");
    cli.environment.put("HOLDFAST_DEBUG", "1");
    cli.run("list");
    assertThat(cli.err()).contains("\tat ");
  }

  @Test
  void theStoreThatIsUsedIsSaidUnlessQuiet() {
    cli.run("list");
    assertThat(cli.err()).contains("holdfast: using fake (from HOLDFAST_BACKEND)");
    Cli quiet = new Cli();
    quiet.run("list", "--quiet");
    assertThat(quiet.err()).isEmpty();
  }

  @Test
  void quietMayStandBeforeTheSubcommand() {
    cli.run("-q", "list");
    cli.acquiringFailsWith(new LockTimeoutException("busy"));
    assertThat(cli.run("--quiet", "run", "demo", "--wait", "0s", "--", "true")).isEqualTo(75);
    assertThat(cli.err()).isEmpty();
  }
}
