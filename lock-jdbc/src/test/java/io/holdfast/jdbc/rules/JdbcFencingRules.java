package io.holdfast.jdbc.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.FencingToken;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Sequencer;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.StaleTokenException;
import io.holdfast.tck.adapter.FencingMarkRules;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a table of tokens is worth, in each kind of database. */
public interface JdbcFencingRules extends FencingMarkRules {

  /** Returns where the tables of the test are, empty: a URI. */
  String place();

  /** Makes the tables of the test. */
  @BeforeEach
  default void makeTables() throws SQLException {
    Orders.make(place());
  }

  private Orders orders() {
    return new Orders(place());
  }

  @Override
  default void write(Sequencer sequencer, String value) throws SQLException {
    orders().write(sequencer, value);
  }

  @Override
  default String read() throws SQLException {
    return orders().read();
  }

  private static Sequencer holder(String name, long number) {
    return new Sequencer(new LockName(name), LockMode.EXCLUSIVE, FencingToken.of(number, 0));
  }

  /** Also if the name was never seen before. */
  @Test
  default void aNewerHolderThatComesDuringATransactionComesAfterIt() throws Exception {
    Overlap overlap = Overlap.of(orders(), holder("a", 1), "older", holder("a", 2), "newer");
    overlap.second.get(60, TimeUnit.SECONDS);
    overlap.first.get(60, TimeUnit.SECONDS);

    assertThat(read()).isEqualTo("newer");
    assertThatThrownBy(() -> write(holder("a", 1), "late")).isInstanceOf(StaleTokenException.class);
  }

  /**
   * The older one finds the row locked, and what it compares with must be what is there then. Again
   * and again, because it may come too late for that.
   */
  @Test
  default void anOlderHolderThatComesDuringTheTransactionOfANewerOneIsRefused() throws Exception {
    write(holder("a", 1), "first");
    for (int round = 1; round <= 10; round++) {
      Sequencer older = holder("a", 2L * round);
      Sequencer newer = holder("a", 2L * round + 1);
      Overlap overlap = Overlap.of(orders(), newer, "newer", older, "older");
      overlap.first.get(60, TimeUnit.SECONDS);

      assertThatThrownBy(() -> overlap.second.get(60, TimeUnit.SECONDS))
          .hasCauseInstanceOf(StaleTokenException.class);
      assertThat(read()).isEqualTo("newer");
    }
  }

  /** Two transactions, of which the second begins when the first has been let in. */
  record Overlap(CompletableFuture<Void> first, CompletableFuture<Void> second) {

    private static Overlap of(
        Orders orders, Sequencer first, String firstState, Sequencer second, String secondState) {
      CountDownLatch inside = new CountDownLatch(1);
      CountDownLatch comes = new CountDownLatch(1);
      Runnable meanwhile =
          () -> {
            inside.countDown();
            await(comes);
          };
      CompletableFuture<Void> writesFirst =
          CompletableFuture.runAsync(
              () -> unchecked(() -> orders.write(first, firstState, meanwhile)),
              JdbcFencingRules::start);
      await(inside);
      CompletableFuture<Void> writesSecond =
          CompletableFuture.runAsync(
              () -> {
                comes.countDown();
                unchecked(() -> orders.write(second, secondState));
              },
              JdbcFencingRules::start);
      return new Overlap(writesFirst, writesSecond);
    }
  }

  private static void start(Runnable task) {
    new Thread(task, "transaction").start();
  }

  /** A call that may fail as the database says. */
  @FunctionalInterface
  interface Call {
    void run() throws SQLException;
  }

  private static void unchecked(Call call) {
    try {
      call.run();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  default void aMarkIsThatOfOneNameAsItsBytesAre() throws SQLException {
    write(holder("a", 7), "one");

    write(holder("A", 1), "two");
    write(holder("a ", 2), "three");
    write(holder("ä", 3), "four");

    assertThatThrownBy(() -> write(holder("a", 6), "five")).isInstanceOf(StaleTokenException.class);
    assertThat(read()).isEqualTo("four");
  }

  @Test
  default void whatIsRolledBackHasRaisedNothing() throws SQLException {
    write(holder("a", 1), "one");
    assertThatThrownBy(
            () ->
                orders()
                    .write(
                        holder("a", 2),
                        "two",
                        () -> {
                          throw new IllegalArgumentException("rolled back");
                        }))
        .isInstanceOf(IllegalArgumentException.class);

    write(holder("a", 1), "three");

    assertThat(read()).isEqualTo("three");
  }

  @Test
  default void aCheckOutsideOfTheTransactionThatWritesIsRefused() {
    assertThatThrownBy(() -> orders().admitWithoutTransaction(holder("a", 1)))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("setAutoCommit(false)");
  }
}
