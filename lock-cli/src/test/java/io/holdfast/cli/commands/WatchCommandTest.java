package io.holdfast.cli.commands;

import static io.holdfast.cli.run.Commands.TIMEOUT;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.cli.Cli;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.record.Waiter;
import io.holdfast.watch.WatchListener;
import java.io.OutputStream;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** What watch prints, and when it ends. */
class WatchCommandTest {

  private static final SessionId SESSION = SessionId.fresh();

  private final Cli cli = new Cli();
  private final CompletableFuture<Integer> code = new CompletableFuture<>();
  private Supplier<Integer> run = () -> 0;
  private final Thread command = new Thread(() -> code.complete(run.get()));

  private WatchListener listenerOf(String watched, String... arguments) {
    run = () -> cli.run(arguments);
    return begun(watched);
  }

  private WatchListener begun(String watched) {
    command.start();
    await().atMost(TIMEOUT).until(() -> cli.client.watches.containsKey(watched));
    return requireNonNull(cli.client.watches.get(watched));
  }

  private int interrupted() throws Exception {
    command.interrupt();
    return code.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }

  @Test
  void eachStateIsALineForPeople() throws Exception {
    WatchListener told = listenerOf("lock orders/42 each PT1S", "watch", "orders/42");
    told.changed(free());
    told.changed(held(LockMode.EXCLUSIVE, 1, Liveness.LIVE, 1));
    told.changed(held(LockMode.SHARED, 2, Liveness.LAPSED, 2));

    assertThat(interrupted()).isEqualTo(130);

    assertThat(cli.out())
        .isEqualTo(
            """
            2024-05-06T07:09:12Z  orders/42  free
            2024-05-06T07:09:12Z  orders/42  held by ann@a:1 (nightly), token 7168, 1 waits
            2024-05-06T07:09:12Z  orders/42  shared by ann@a:1 [lapsed] (nightly), ann@a:1 [lapsed] (nightly), token 7168, 2 wait
            """);
    assertThat(cli.client.watches).as("watches that are open").isEmpty();
    assertThat(cli.client.closed).isTrue();
  }

  @Test
  void eachStateIsAnObjectForPrograms() throws Exception {
    WatchListener told =
        listenerOf(
            "prefix orders/ each PT0.2S",
            "watch",
            "--prefix",
            "orders/",
            "--json",
            "--interval",
            "200ms");
    told.changed(held(LockMode.EXCLUSIVE, 1, Liveness.LIVE, 0));
    told.changed(free());
    interrupted();

    assertThat(cli.out().lines())
        .hasSize(2)
        .allMatch(
            line -> line.startsWith("{\"name\":\"orders/42\",\"held\":") && line.endsWith("}"));
  }

  /** Also if it is to be quiet: what it has printed says nothing of the present any more. */
  @Test
  void thatTheStoreIsAwayIsToldOnStandardErrorAndEndsNothing() throws Exception {
    WatchListener told = listenerOf("lock a each PT1S", "watch", "a", "--quiet");
    told.failed(new BackendUnreachableException("gone for now"));
    told.recovered();
    told.changed(free());
    interrupted();

    assertThat(cli.err())
        .contains("holdfast: not watched at present: gone for now\n", "holdfast: watched again\n");
    assertThat(cli.out()).hasLineCount(1);
  }

  @Test
  void itEndsWhenNobodyReadsWhatItPrints() throws Exception {
    PrintStream broken = new PrintStream(OutputStream.nullOutputStream());
    broken.close();
    run = () -> new picocli.CommandLine(new WatchCommand(cli.surroundings(broken))).execute("a");
    begun("lock a each PT1S").changed(free());

    assertThat(code.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isZero();
  }

  private static LockRecord free() {
    return LockRecord.unknown(new LockName("orders/42"));
  }

  private static LockRecord held(LockMode mode, int holders, Liveness liveness, int waiters) {
    Holder holder =
        new Holder(
            new RequestId(SESSION, 1),
            mode,
            new ProcessIdentity("ann@a:1"),
            "nightly",
            Payload.EMPTY,
            Instant.parse("2024-05-06T07:08:09Z"),
            liveness,
            Optional.empty());
    Waiter waiter = new Waiter(new RequestId(SESSION, 2), mode, new ProcessIdentity("bob@b:2"), "");
    return new LockRecord(
        new LockName("orders/42"),
        7,
        List.of(holder, holder).subList(0, holders),
        List.of(waiter, waiter).subList(0, waiters));
  }
}
