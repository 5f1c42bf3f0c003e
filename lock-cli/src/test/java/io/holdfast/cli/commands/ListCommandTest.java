package io.holdfast.cli.commands;

import static io.holdfast.cli.run.Commands.TIMEOUT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.cli.Cli;
import io.holdfast.cli.FakeClient;
import io.holdfast.cli.environment.Screen;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Stay;
import io.holdfast.record.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What people see of list, in a file and on a terminal. */
class ListCommandTest {

  private static final SessionId SESSION = SessionId.fresh();
  private static final String ESCAPE = "\u001b";

  private final Cli cli = new Cli();

  @Test
  void eachLockTellsItsHolderForHowLongWhoWaitsAndWhy() {
    cli.client.records =
        List.of(
            lock("orders/42", Liveness.LIVE, Optional.empty(), "nightly"),
            lock(
                "very/long/name/of/a/lock/that/fits/no/terminal",
                Liveness.LAPSED,
                Optional.empty(),
                ""),
            lock("t", Liveness.STAYING, stay(Stay.Reason.AT_LEAST), "once"));
    cli.now = Instant.parse("2024-05-06T09:09:09Z");

    assertThat(cli.run("list")).isZero();

    assertThat(cli.out())
        .isEqualTo(
            """
            NAME                                            HOLDER   HELD   LEASE      QUEUE  WHY      TOKEN
            orders/42                                       ann@a:1  2h01m  live       1      nightly  1740800000000000000
            very/long/name/of/a/lock/that/fits/no/terminal  ann@a:1  2h01m  lapsed     1               1740800000000000000
            t                                               ann@a:1  2h01m  stays 54s  1      once     1740800000000000000
            """);
  }

  @Test
  void theTableFitsTheTerminal() {
    cli.client.records =
        List.of(
            lock(
                "very/long/name/of/a/lock/that/fits/no/terminal",
                Liveness.LIVE,
                Optional.empty(),
                "w".repeat(50)),
            lock("名前".repeat(20), Liveness.STAYING, stay(Stay.Reason.LOCK_DELAY), ""));
    cli.environment.put("NO_COLOR", "1");
    for (int columns : new int[] {200, 120, 100, 80, 60, 40, 20, 5}) {
      Cli narrow = new Cli();
      narrow.client.records = cli.client.records;
      narrow.environment.put("NO_COLOR", "1");
      narrow.screen = Optional.of(new Screen.Size(columns, 24));

      assertThat(narrow.run("list")).isZero();

      assertThat(narrow.out().lines())
          .as("lines for %d columns", columns)
          .hasSize(3)
          .allMatch(line -> columnsOf(line) <= columns)
          .allMatch(line -> !line.contains(ESCAPE));
    }
  }

  @Test
  void whatIsLeastNeededIsLeftOutFirst() {
    cli.client.records = List.of(lock("orders/42", Liveness.LIVE, Optional.empty(), "nightly"));
    cli.screen = Optional.of(new Screen.Size(60, 24));
    cli.environment.put("NO_COLOR", "1");

    cli.run("list");

    assertThat(cli.out()).startsWith("NAME       HOLDER   HELD   LEASE  QUEUE  WHY\norders/42");
  }

  @Test
  void coloursAreForTerminalsAlone() {
    cli.client.records = List.of(lock("demo", Liveness.LAPSED, Optional.empty(), ""));
    assertThat(colours(cli)).isFalse();
    cli.screen = Optional.of(new Screen.Size(80, 24));
    assertThat(colours(cli)).isTrue();
    cli.environment.put("NO_COLOR", "");
    assertThat(colours(cli)).as("NO_COLOR is empty").isTrue();
    cli.environment.put("TERM", "dumb");
    assertThat(colours(cli)).as("a dumb terminal").isFalse();
    cli.environment.put("TERM", "xterm");
    cli.environment.put("NO_COLOR", "0");
    assertThat(colours(cli)).as("NO_COLOR has a value").isFalse();
  }

  private static boolean colours(Cli cli) {
    int before = cli.out().length();
    assertThat(cli.run("list")).isZero();
    return cli.out().substring(before).contains(ESCAPE);
  }

  @Test
  void theWatchShowsWhatHasChangedAndGoesOnWhenTheStoreIsAway() throws Exception {
    cli.screen = Optional.of(new Screen.Size(80, 10));
    cli.environment.put("NO_COLOR", "1");
    cli.client.records = List.of(lock("first", Liveness.LIVE, Optional.empty(), ""));
    CompletableFuture<Integer> code = new CompletableFuture<>();
    Thread watching =
        new Thread(() -> code.complete(cli.run("list", "--watch", "--interval", "200ms")));
    watching.start();

    awaitOut("first");
    cli.client.listFailure = new BackendUnreachableException("gone for now");
    awaitOut("NOT READ: gone for now");
    cli.client.records = many();
    cli.client.listFailure = null;
    awaitOut("more do not fit");
    watching.interrupt();

    assertThat(code.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(130);
    String last = cli.out().substring(cli.out().lastIndexOf(ESCAPE + "[H"));
    assertThat(last.lines().filter(line -> line.contains("lock-"))).hasSize(6);
    assertThat(last.lines().count()).as("lines, and the one of the cursor").isLessThanOrEqualTo(10);
    assertThat(cli.client.closed).isTrue();
  }

  private static List<LockRecord> many() {
    return IntStream.range(0, 30)
        .mapToObj(i -> lock("lock-" + i, Liveness.LIVE, Optional.empty(), ""))
        .toList();
  }

  private void awaitOut(String text) {
    await().atMost(TIMEOUT).until(() -> cli.out().contains(text));
  }

  /** As of {@code list | head -1} on a store with a million locks. */
  @Test
  void noMoreIsReadWhenNobodyReadsTheList() {
    AtomicInteger read = new AtomicInteger();
    FakeClient endless =
        new FakeClient() {
          @Override
          public Stream<LockRecord> list(String prefix) {
            return Stream.generate(
                () ->
                    ListCommandTest.lock(
                        "lock-" + read.incrementAndGet(), Liveness.LIVE, Optional.empty(), ""));
          }
        };
    cli.connector = (uri, listener) -> endless;
    cli.piped = true;

    assertThat(cli.runWithRoomFor(300, "list")).isEqualTo(141);
    assertThat(read.getAndSet(0)).isBetween(1, 1_000);
    assertThat(cli.runWithRoomFor(300, "list", "--json")).isEqualTo(141);
    assertThat(read.get()).isBetween(1, 100);
  }

  @Test
  void theWatchIsForPeopleAtATerminal() {
    assertThat(cli.run("list", "--watch")).isEqualTo(64);
    assertThat(cli.err()).contains("needs a terminal");
    cli.screen = Optional.of(new Screen.Size(80, 24));
    assertThat(cli.run("list", "--watch", "--json")).isEqualTo(64);
    assertThat(cli.run("list", "--watch", "--interval", "1ms")).isEqualTo(64);
    assertThat(cli.out()).isEmpty();
  }

  /** Those of this test are of one column, or of two. */
  private static int columnsOf(String line) {
    return line.codePoints().map(c -> c == '名' || c == '前' ? 2 : 1).sum();
  }

  private static Optional<Stay> stay(Stay.Reason reason) {
    return Optional.of(new Stay(reason, Duration.ofSeconds(54)));
  }

  private static LockRecord lock(String name, Liveness liveness, Optional<Stay> stay, String why) {
    Holder holder =
        new Holder(
            new RequestId(SESSION, 1),
            LockMode.EXCLUSIVE,
            new ProcessIdentity("ann@a:1"),
            why,
            Payload.EMPTY,
            Instant.parse("2024-05-06T07:08:09Z"),
            liveness,
            Optional.empty(),
            stay);
    Waiter waiter =
        new Waiter(
            new RequestId(SESSION, 2), LockMode.EXCLUSIVE, new ProcessIdentity("bob@b:2"), "");
    return new LockRecord(
        new LockName(name), 1_700_000_000_000_000L, List.of(holder), List.of(waiter));
  }
}
