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
import io.holdfast.record.Waiter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DeadlocksCommandTest {

  private static final SessionId ANN = new SessionId("a".repeat(32));
  private static final SessionId BOB = new SessionId("b".repeat(32));

  private final Cli cli = new Cli();

  @Test
  void whereNobodyWaitsForEachOtherTheExitCodeIsZero() {
    cli.client.records = List.of(lock("jobs/1", ANN, BOB));

    assertThat(cli.run("deadlocks")).isZero();
    assertThat(cli.out()).isEmpty();
    assertThat(cli.err()).contains("no deadlock is suspected");
    assertThat(cli.run("deadlocks", "--json")).isZero();
    assertThat(cli.out()).isEqualTo("[\n]\n");
  }

  @Test
  void aCircleIsToldWithWhoWaitsForWhatAndTheExitCodeSaysSo() {
    cli.client.records = List.of(lock("jobs/1", ANN, BOB), lock("jobs/2", BOB, ANN));

    assertThat(cli.run("deadlocks")).isEqualTo(1);

    assertThat(cli.out())
        .isEqualTo(
            """
            2 sessions seem to wait for each other:
              bob@host:1, session bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb (report)
                  waits for "jobs/1", held by ann@host:1
              ann@host:1, session aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa (report)
                  waits for "jobs/2", held by bob@host:1
            """);
  }

  @Test
  void aPrefixNarrowsTheSearch() {
    cli.client.records = List.of(lock("jobs/1", ANN, BOB), lock("other", BOB, ANN));

    assertThat(cli.run("deadlocks")).isEqualTo(1);
    assertThat(cli.run("deadlocks", "--prefix", "jobs/")).isZero();
  }

  @Test
  void theFieldsOfTheJsonStay() {
    cli.client.records = List.of(lock("jobs/1", ANN, BOB), lock("jobs/2", BOB, ANN));

    assertThat(cli.run("deadlocks", "--json")).isEqualTo(1);

    String a = "a".repeat(32);
    String b = "b".repeat(32);
    assertThat(cli.out())
        .isEqualTo(
            "[\n{\"locks\":[\"jobs/1\",\"jobs/2\"],\"sessions\":[\""
                + b
                + "\",\""
                + a
                + "\"],"
                + "\"waits\":["
                + wait("jobs/1", "bob", b, a)
                + ","
                + wait("jobs/2", "ann", a, b)
                + "]}\n]\n");
  }

  private static String wait(String lock, String who, String session, String ahead) {
    return "{\"lock\":\""
        + lock
        + "\",\"waiter\":{\"process\":\""
        + who
        + "@host:1\",\"why\":\"report\",\"mode\":\"exclusive\",\"session\":\""
        + session
        + "\",\"request\":\""
        + session
        + "-2\"},\"aheadSession\":\""
        + ahead
        + "\",\"aheadRequest\":\""
        + ahead
        + "-1\",\"aheadHolds\":true}";
  }

  private static LockRecord lock(String name, SessionId holder, SessionId waiter) {
    Holder head =
        new Holder(
            new RequestId(holder, 1),
            LockMode.EXCLUSIVE,
            process(holder),
            "",
            Payload.EMPTY,
            Instant.EPOCH,
            Liveness.LIVE,
            Optional.empty());
    Waiter next =
        new Waiter(new RequestId(waiter, 2), LockMode.EXCLUSIVE, process(waiter), "report");
    return new LockRecord(new LockName(name), 1, Optional.of(head), List.of(next));
  }

  private static ProcessIdentity process(SessionId session) {
    return new ProcessIdentity((session.equals(ANN) ? "ann" : "bob") + "@host:1");
  }
}
