package io.holdfast.jdbc.connections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A deadline that passes while a connection goes back to its pool harms no later user of it. */
class RestorableConnectionTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final CountDownLatch aborting = new CountDownLatch(1);
  private final CountDownLatch mayAbort = new CountDownLatch(1);
  private final CountDownLatch mayClose = new CountDownLatch(1);
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

  /** The connection that a pool keeps, which is what its handle's metadata lead to. */
  private final Connection physical =
      fake(
          Connection.class,
          method -> {
            calls.add(method + " physical");
            if (method.equals("abort")) {
              aborting.countDown();
              passThrough(mayAbort);
              fail(failure.get());
            }
            return null;
          });

  private final Connection handle =
      fake(
          Connection.class,
          method -> {
            if (method.equals("getMetaData")) {
              return fake(DatabaseMetaData.class, asked -> physical);
            }
            calls.add(method + " handle");
            if (method.equals("close")) {
              passThrough(mayClose);
            }
            return null;
          });

  private interface Behaviour {
    @Nullable Object call(String method) throws Throwable;
  }

  private static void fail(@Nullable Throwable failure) throws Throwable {
    if (failure != null) {
      throw failure;
    }
  }

  private static <T> T fake(Class<T> type, Behaviour behaviour) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> behaviour.call(method.getName())));
  }

  private static void passThrough(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private RestorableConnection borrowed() throws Exception {
    return RestorableConnection.borrowed(handle);
  }

  @Test
  void anAbortThatComesLateDoesNotReachThePoolsConnection() throws Exception {
    mayAbort.countDown();
    mayClose.countDown();
    RestorableConnection connection = borrowed();

    connection.giveBack();
    connection.abort();

    assertThat(calls).containsExactly("close handle", "abort handle");
  }

  @Test
  void aPoolThatHangsWhileItTakesAConnectionBackIsAskedToAbort() throws Exception {
    mayAbort.countDown();
    RestorableConnection connection = borrowed();
    CompletableFuture<Void> givenBack = CompletableFuture.runAsync(connection::giveBack);
    await().atMost(TIMEOUT).until(() -> calls.contains("close handle"));

    connection.abort();

    assertThat(calls).containsExactly("close handle", "abort handle");
    mayClose.countDown();
    givenBack.get();
  }

  @Test
  void aConnectionThatIsBeingAbortedGoesBackWhenThatIsDone() throws Exception {
    mayClose.countDown();
    RestorableConnection connection = borrowed();
    CompletableFuture<Void> aborted = CompletableFuture.runAsync(connection::abort);
    aborting.await();

    connection.giveBack();

    assertThat(calls).containsExactly("abort physical");
    mayAbort.countDown();
    aborted.get();
    assertThat(calls).containsExactly("abort physical", "close handle");
  }

  @Test
  void aConnectionThatIsDiscardedIsAbortedAndGoesBack() throws Exception {
    mayAbort.countDown();
    mayClose.countDown();
    RestorableConnection connection = borrowed();

    connection.discard();

    assertThat(calls).containsExactly("abort physical", "close handle");
  }

  /** A pool has it for good if it does not come back, and soon has no other. */
  @ParameterizedTest
  @MethodSource("mistakes")
  void aConnectionThatCannotBeAbortedGoesBackAllTheSame(Throwable mistake) throws Exception {
    mayClose.countDown();
    mayAbort.countDown();
    failure.set(mistake);
    RestorableConnection connection = borrowed();

    Throwable unused = catchThrowable(connection::discard);

    assertThat(calls).containsExactly("abort physical", "close handle");
  }

  static Stream<Throwable> mistakes() {
    return Stream.of(
        new SQLException("closed already"),
        new IllegalStateException("A driver's mistake"),
        new AbstractMethodError("A driver from before JDBC 4.1"));
  }

  @Test
  void aConnectionThatCannotBeRestoredIsAbortedAndGoesBack() throws Exception {
    mayAbort.countDown();
    mayClose.countDown();
    RestorableConnection connection = borrowed();
    connection.restoreWith(
        () -> {
          throw new IllegalStateException("A driver's mistake");
        });

    connection.giveBack();

    assertThat(calls).containsExactly("abort physical", "close handle");
  }

  @Test
  void aConnectionOnWhoseWayBackAnErrorStruckIsAbortedAndGoesBack() throws Exception {
    mayAbort.countDown();
    mayClose.countDown();
    RestorableConnection connection = borrowed();
    connection.restoreWith(
        () -> {
          throw new StackOverflowError("in the driver");
        });

    assertThatThrownBy(connection::giveBack).hasMessage("in the driver");

    assertThat(calls).containsExactly("abort physical", "close handle");
  }

  /**
   * Left without autocommit, its next user would begin a transaction unasked, and switching it on
   * would commit what could not be rolled back.
   */
  @Test
  void aConnectionWhoseTransactionCannotBeRolledBackIsAbortedAndGoesBack() throws Exception {
    Connection[] left = new Connection[1];
    left[0] =
        fake(
            Connection.class,
            method -> {
              calls.add(method);
              return switch (method) {
                case "getMetaData" -> fake(DatabaseMetaData.class, asked -> left[0]);
                case "getAutoCommit" -> true;
                case "rollback" -> throw new SQLException("ROLLBACK failed (test)");
                default -> null;
              };
            });
    RestorableConnection connection = RestorableConnection.borrowed(left[0]);
    assertThatThrownBy(connection::applyDefaults).hasMessageContaining("ROLLBACK failed");

    connection.giveBack();

    assertThat(calls)
        .containsExactly(
            "getMetaData", "getAutoCommit", "setAutoCommit", "rollback", "abort", "close");
  }
}
