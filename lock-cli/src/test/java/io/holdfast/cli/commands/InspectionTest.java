package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.cli.Cli;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.record.Stay;
import io.holdfast.record.Waiter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** list, inspect, break, backends and completion. */
class InspectionTest {

  private static final SessionId SESSION = new SessionId("0123456789abcdef0123456789abcdef");

  @TempDir private Path directory;
  private final Cli cli = new Cli();

  @Test
  void theFieldsOfTheJsonStay() {
    cli.client.records = List.of(held("jobs/ü"));

    assertThat(cli.run("inspect", "jobs/ü", "--json")).isZero();

    String holder =
        "{\"process\":\"ann@a:1\","
            + "\"why\":\"nightly\",\"mode\":\"exclusive\",\"since\":\"2024-05-06T07:08:09Z\","
            + "\"liveness\":\"live\",\"revokedAt\":null,\"stay\":null,\"countsForMillis\":null,\"payloadBase64\":\"aGk=\","
            + "\"session\":\"0123456789abcdef0123456789abcdef\","
            + "\"request\":\"0123456789abcdef0123456789abcdef-1\"}";
    assertThat(cli.out())
        .isEqualTo(
            "{\"name\":\"jobs/ü\",\"held\":true,\"token\":\"1740800000000000000\","
                + "\"number\":\"1700000000000000\",\"holder\":"
                + holder
                + ",\"holders\":["
                + holder
                + "],\"waiters\":[{\"process\":\"bob@b:2\",\"why\":\"\",\"mode\":\"exclusive\","
                + "\"session\":\"0123456789abcdef0123456789abcdef\","
                + "\"request\":\"0123456789abcdef0123456789abcdef-2\"}],\"waiting\":1}\n");
  }

  @Test
  void inspectTellsPeopleWhoHoldsAndWhoWaits() {
    cli.client.records = List.of(held("demo"));

    assertThat(cli.run("inspect", "demo")).isZero();

    assertThat(cli.out())
        .contains(
            "ann@a:1",
            "1740800000000000000",
            "2024-05-06T07:08:09Z (1m03s ago)",
            "nightly",
            "bob@b:2");
  }

  @Test
  void theExitCodeOfInspectSaysOnDemandWhetherTheLockIsHeld() {
    cli.client.records = List.of(held("demo"), held("dead", "nightly", Liveness.ENDED));

    assertThat(cli.run("inspect", "demo", "--exit-code")).isZero();
    assertThat(cli.run("inspect", "dead", "--exit-code")).isEqualTo(1);
    assertThat(cli.run("inspect", "none", "--exit-code")).isEqualTo(1);
    assertThat(cli.run("inspect", "dead")).isZero();
  }

  @Test
  void aHolderThatHasLapsedIsShownButHoldsNothing() {
    cli.client.records = List.of(held("demo", "nightly", Liveness.LAPSED));
    assertThat(cli.run("inspect", "demo", "--json")).isEqualTo(0);
    assertThat(cli.out()).contains("\"held\":false", "ann@a:1", "\"liveness\":\"lapsed\"");
  }

  @Test
  void aLockOfWhichNothingIsKnownIsFreeAndTheExitCodeSaysSo() {
    assertThat(cli.run("inspect", "demo", "--json")).isEqualTo(1);
    assertThat(cli.out())
        .isEqualTo(
            "{\"name\":\"demo\",\"held\":false,\"token\":null,\"number\":\"0\",\"holder\":null,\"holders\":[],\"waiters\":[],\"waiting\":0}\n");
  }

  @Test
  void listPrintsOneLockOnALine() {
    cli.client.records = List.of(held("jobs/1"), held("jobs/2"), held("other"));

    assertThat(cli.run("list", "jobs/", "--json")).isZero();
    assertThat(cli.run("list", "jobs/")).isZero();

    assertThat(cli.out().lines().filter(line -> line.startsWith("{\"name\":\"jobs/"))).hasSize(2);
    assertThat(cli.out()).startsWith("[\n{").contains("\n]\nNAME ").doesNotContain("other");
  }

  @Test
  void anEmptyListIsAnEmptyArray() {
    assertThat(cli.run("list", "--json")).isZero();
    assertThat(cli.out().replaceAll("\\s", "")).isEqualTo("[]");
  }

  @Test
  void otherPeoplesTextCannotSteerTheTerminal() {
    LockRecord lock = held("demo", "red\u001b[31m");
    cli.client.records = List.of(lock);

    cli.run("inspect", "demo");

    assertThat(cli.out()).contains("red\ufffd[31m").doesNotContain("\u001b");
  }

  @Test
  void breakNeedsAYesWhereNobodyCanBeAsked() {
    cli.client.records = List.of(held("demo"));

    assertThat(cli.run("break", "demo")).isEqualTo(64);

    assertThat(cli.err()).contains("--yes");
    assertThat(cli.client.revoked).isNull();
  }

  @Test
  void breakAsksOnATerminalAndTakesAnythingElseForNo() {
    cli.client.records = List.of(held("demo"));
    cli.terminal = true;
    cli.typed = "maybe\n";

    assertThat(cli.run("break", "demo")).isEqualTo(1);

    assertThat(cli.err()).contains("\"demo\" is held by ann@a:1", "nightly", "[y/N]");
    assertThat(cli.client.revoked).isNull();
  }

  @Test
  void breakSaysWhomItEvictsAndWhenThatTakesEffect() {
    cli.client.records = List.of(held("demo"));
    cli.terminal = true;
    cli.typed = "y\n";

    assertThat(cli.run("break", "demo")).isZero();

    assertThat(cli.client.revoked).isEqualTo(RevokeWhen.SAFELY);
    assertThat(cli.out()).contains("ann@a:1 is evicted from \"demo\"", "in 12.0 s at the latest");
  }

  @Test
  void breakNowSaysWhatThatMeans() {
    cli.client.records = List.of(held("demo"));
    cli.client.revocation = new Revocation.Freed();

    assertThat(cli.run("break", "demo", "--now", "--yes")).isZero();

    assertThat(cli.client.revoked).isEqualTo(RevokeWhen.NOW);
    assertThat(cli.out()).contains("may still be at work");
    cli.run("break", "--help");
    assertThat(cli.out()).contains("fencing");
  }

  @Test
  void breakInGivesTheHolderNotice() {
    cli.client.records = List.of(held("demo"));
    cli.terminal = true;
    cli.typed = "y\n";

    assertThat(cli.run("break", "demo", "--in", "10m")).isZero();

    assertThat(cli.client.revokedIn).isEqualTo(Duration.ofMinutes(10));
    assertThat(cli.client.revoked).isNull();
    assertThat(cli.err())
        .contains("or after 10 min, or one whole TTL of its session if that is longer.");
    assertThat(cli.run("break", "demo", "--in", "10m", "--now", "--yes")).isEqualTo(64);
  }

  @Test
  void whatStaysIsShownWithTheTimeThatIsLeft() {
    LockRecord held = held("demo", "nightly", Liveness.STAYING);
    Holder holder = held.holder().orElseThrow();
    Stay stay = new Stay(Stay.Reason.AT_LEAST, Duration.ofSeconds(54));
    Holder stays =
        new Holder(
            holder.request(),
            holder.mode(),
            holder.process(),
            holder.why(),
            holder.payload(),
            holder.since(),
            holder.liveness(),
            holder.revokedAt(),
            Optional.of(stay));
    cli.client.records =
        List.of(new LockRecord(held.name(), held.number(), List.of(stays), held.waiters()));

    assertThat(cli.run("inspect", "demo")).isZero();
    assertThat(cli.run("inspect", "demo", "--json")).isZero();

    assertThat(cli.out())
        .contains("54.0 s of its least time", "\"held\":true", "\"liveness\":\"staying\"")
        .contains("\"stay\":{\"reason\":\"at_least\",\"leftMillis\":54000}");
  }

  @Test
  void breakOfAFreeLockDoesNothing() {
    assertThat(cli.run("break", "demo", "--yes", "--json")).isZero();
    assertThat(cli.out())
        .startsWith("{\"name\":\"demo\",\"outcome\":\"free\",\"passesOnWithinMillis\":null,");
    assertThat(cli.client.revoked).isNull();
  }

  @Test
  void breakOfASharedLockIsOneObjectForPrograms() {
    LockRecord one = held("demo");
    Holder first = one.holder().orElseThrow();
    Holder second =
        new Holder(
            new RequestId(SESSION, 7),
            LockMode.SHARED,
            new ProcessIdentity("carl@c:3"),
            "",
            Payload.EMPTY,
            first.since(),
            Liveness.LIVE,
            Optional.empty());
    LockRecord shared =
        new LockRecord(one.name(), one.number(), List.of(first, second), one.waiters());
    cli.client.records = List.of(shared);
    cli.terminal = true;
    cli.typed = "y\n";

    assertThat(cli.run("break", "demo", "--json")).as("the second one was declined").isEqualTo(1);
    assertThat(cli.run("break", "demo", "--json", "--yes")).isZero();

    List<String> lines = cli.out().lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0))
        .startsWith(
            "{\"name\":\"demo\",\"outcome\":\"declined\",\"passesOnWithinMillis\":null,\"outcomes\":["
                + "{\"process\":\"ann@a:1\",\"request\":\"0123456789abcdef0123456789abcdef-1\",\"outcome\":\"marked\",\"passesOnWithinMillis\":12000},"
                + "{\"process\":\"carl@c:3\",\"request\":\"0123456789abcdef0123456789abcdef-7\",\"outcome\":\"declined\",\"passesOnWithinMillis\":null}],"
                + "\"seen\":{");
    assertThat(lines.get(1))
        .startsWith("{\"name\":\"demo\",\"outcome\":\"marked\",\"passesOnWithinMillis\":12000,");
  }

  @Test
  void breakOfAGrantThatHasChangedIsToBeTriedAgain() {
    cli.client.records = List.of(held("demo"));
    cli.client.revocation = new Revocation.Changed();

    assertThat(cli.run("break", "demo", "--yes")).isEqualTo(75);

    assertThat(cli.out()).contains("nothing was done");
  }

  @Test
  void backendsTellsTheDefaultButNeverWhatMayHaveAPassword() {
    cli.environment.put("HOLDFAST_BACKEND", "jdbc:x://u:secret@h/");
    assertThat(cli.run("backends")).isZero();
    assertThat(cli.run("backends", "--json")).isZero();
    assertThat(cli.out())
        .contains("from HOLDFAST_BACKEND", "\"defaultSource\":\"environment\"")
        .doesNotContain("secret");
  }

  @Test
  void theCompletionScriptIsForTheShell() throws Exception {
    assertThat(cli.run("completion")).isZero();
    Path script = Files.writeString(directory.resolve("completion"), cli.out());

    assertThat(
            bash(
                "source "
                    + script
                    + "; COMP_WORDS=(holdfast in); COMP_CWORD=1; COMP_LINE='holdfast in';"
                    + " _complete_holdfast; echo \"${COMPREPLY[*]}\""))
        .isEqualTo("inspect");
  }

  private static String bash(String script) throws IOException, InterruptedException {
    Process bash = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true).start();
    String out =
        new String(bash.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    bash.waitFor();
    return out.strip();
  }

  @Test
  void howManyMoreWaitIsTold() {
    LockRecord held = held("demo");
    cli.client.records =
        List.of(new LockRecord(held.name(), held.number(), held.holders(), held.waiters(), 1_000));
    assertThat(cli.run("inspect", "demo")).isZero();
    assertThat(cli.out()).contains("waiter 1:   bob@b:2").contains("999 more wait");
    cli.run("list");
    assertThat(cli.out()).contains(" 1000 ");
  }

  private static LockRecord held(String name) {
    return held(name, "nightly");
  }

  private static LockRecord held(String name, String why) {
    return held(name, why, Liveness.LIVE);
  }

  private static LockRecord held(String name, String why, Liveness liveness) {
    Holder holder =
        new Holder(
            new RequestId(SESSION, 1),
            LockMode.EXCLUSIVE,
            new ProcessIdentity("ann@a:1"),
            why,
            Payload.ofText("hi"),
            Instant.parse("2024-05-06T07:08:09Z"),
            liveness,
            Optional.empty());
    Waiter waiter =
        new Waiter(
            new RequestId(SESSION, 2), LockMode.EXCLUSIVE, new ProcessIdentity("bob@b:2"), "");
    return new LockRecord(
        new LockName(name), 1_700_000_000_000_000L, Optional.of(holder), List.of(waiter));
  }

  @Test
  void theStatementsThatMakeTheTablesArePrintedWithoutConnecting() {
    assertThat(cli.run("ddl", "--backend", "jdbc:postgresql://nowhere/app?tablePrefix=shop_"))
        .isZero();

    assertThat(cli.out()).contains("CREATE TABLE IF NOT EXISTS shop_locks (", ");\n");
    assertThat(cli.err()).isEmpty();
  }

  @Test
  void theStatementsAreInAnArrayForPrograms() {
    assertThat(cli.run("ddl", "--json", "--backend", "jdbc:postgresql://nowhere/app")).isZero();

    assertThat(cli.out())
        .startsWith("{\"statements\":[\"CREATE TABLE IF NOT EXISTS ")
        .contains(")\",\"CREATE TABLE IF NOT EXISTS ")
        .endsWith(")\"]}\n")
        .doesNotContain(";");
  }

  @Test
  void aStoreWithoutTablesHasNoStatementsToPrint() {
    assertThat(cli.run("ddl")).isEqualTo(64);
    assertThat(cli.err()).contains("No adapter");
  }
}
