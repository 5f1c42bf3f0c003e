package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockClient;
import io.holdfast.LockEvent;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.cli.Cli;
import io.holdfast.cli.environment.Connector;
import io.holdfast.error.BadRequestException;
import io.holdfast.record.Retirement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RetireCommandTest {

  private static final String ID = "0123456789abcdef0123456789abcdef";

  private static final Retirement IN_USE =
      new Retirement.InUse(
          1,
          List.of(
              new Retirement.LiveSession(
                  new SessionId(ID), new ProcessIdentity("ann@a:1"), Duration.ofMillis(12_300))));

  private final Cli cli = new Cli();
  private final List<String> asked = new ArrayList<>();

  private void outcome(Supplier<Retirement> outcome) {
    cli.connector =
        new Connector() {
          @Override
          public LockClient connect(String uri, Consumer<LockEvent> listener) {
            return cli.client;
          }

          @Override
          public Retirement retire(String uri) {
            asked.add(uri);
            return outcome.get();
          }
        };
  }

  @Test
  void whatWasRemovedIsTold() {
    outcome(() -> new Retirement.Retired(1));
    assertThat(cli.run("retire", "--yes")).isZero();
    assertThat(cli.out()).contains("protocol version 1").contains("removed");
    assertThat(asked).containsExactly("fake:");
  }

  @Test
  void liveSessionsAreNamedWithWhatToDo() {
    outcome(() -> IN_USE);
    assertThat(cli.run("retire", "--yes", "--quiet")).isEqualTo(75);
    assertThat(cli.err())
        .contains("nothing was removed")
        .contains("ann@a:1 (session " + ID + ", lapses within 12.3 s)")
        .contains("to do: stop these clients, or wait");
    assertThat(cli.out()).isEmpty();
  }

  @Test
  void theFieldsOfTheJsonStay() {
    outcome(() -> IN_USE);
    assertThat(cli.run("retire", "--yes", "--json")).isEqualTo(75);
    assertThat(cli.out())
        .isEqualTo(
            "{\"outcome\":\"inUse\",\"protocol\":1,\"sessions\":[{\"session\":\""
                + ID
                + "\",\"process\":\"ann@a:1\",\"lapsesWithinMillis\":12300}]}\n");
  }

  @Test
  void nothingThereIsNoFailure() {
    outcome(Retirement.Nothing::new);
    assertThat(cli.run("retire", "--yes", "--json")).isZero();
    assertThat(cli.out())
        .isEqualTo("{\"outcome\":\"nothing\",\"protocol\":null,\"sessions\":[]}\n");
  }

  @Test
  void thePresentVersionIsRefused() {
    outcome(
        () -> {
          throw new BadRequestException("there is nothing to retire");
        });
    assertThat(cli.run("retire", "--yes")).isEqualTo(64);
    assertThat(cli.err()).contains("there is nothing to retire");
  }

  @Test
  void nothingIsDoneWithoutConsent() {
    outcome(() -> new Retirement.Retired(1));
    assertThat(cli.run("retire")).isEqualTo(64);
    assertThat(cli.err()).contains("--yes");
    cli.terminal = true;
    cli.typed = "n\n";
    assertThat(cli.run("retire")).isEqualTo(1);
    assertThat(asked).isEmpty();
    cli.typed = "y\n";
    assertThat(cli.run("retire")).isZero();
    assertThat(asked).hasSize(1);
  }

  /** Of several stores the wrong one may be chosen, also by one who wants no messages. */
  @Test
  void theQuestionNamesTheStoreWithoutItsPassword() {
    outcome(() -> new Retirement.Retired(1));
    cli.terminal = true;
    cli.typed = "n\n";
    cli.run("retire", "--quiet");
    assertThat(cli.err()).contains("The store is fake: (from HOLDFAST_BACKEND).\n");
    cli.run("retire", "-b", "redis://shop:9000/2");
    assertThat(cli.err()).contains("The store is redis://shop:9000/2 (given with --backend).\n");
    cli.run("retire", "-b", "redis://u:se?cret@shop");
    cli.run("retire", "-b", "jdbc:h2:x;PASSWORD=secret");
    assertThat(cli.err())
        .contains("The store is redis:… (given with --backend)", "The store is jdbc:…")
        .doesNotContain("secret", "cret");
  }

  @Test
  void theStoreIsToldAlsoWhereNobodyIsAsked() {
    outcome(() -> new Retirement.Retired(1));
    cli.run("retire", "--yes");
    assertThat(cli.err()).contains("holdfast: using fake: (from HOLDFAST_BACKEND)\n");
  }
}
