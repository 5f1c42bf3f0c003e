package io.holdfast.jdbc.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.connections.BorrowingSource;
import io.holdfast.jdbc.connections.DeadlineTimer;
import io.holdfast.jdbc.connections.RestorableConnection;
import io.holdfast.jdbc.mariadb.MariaDatabase;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServerDatabaseTest {

  /** It would be missing in the application's pool for good. */
  @Test
  void aConnectionWhoseDeadlineNoThreadCouldKeepIsGivenBack() throws Exception {
    DeadlineTimer exhausted =
        (deadline, end) -> {
          throw new OutOfMemoryError("unable to create native thread (test)");
        };
    try (Connection taken = DriverManager.getConnection("jdbc:sqlite:")) {
      LockDatabase database =
          new MariaDatabase(
              "it",
              ServerSettings.standard(),
              deadline -> RestorableConnection.ours(taken),
              exhausted);

      assertThatThrownBy(() -> database.open(Deadline.in(Duration.ofSeconds(60))))
          .isInstanceOf(OutOfMemoryError.class);

      assertThat(taken.isClosed()).isTrue();
    }
  }

  /** What the driver asked for may be unread: the pool's next user would take it for its answer. */
  @Test
  void aConnectionWhoseDriverThrewWhatItShouldNotIsNotHandedOn() {
    assertThat(callsAfter(new StackOverflowError("in the driver"))).endsWith("abort", "close");
    assertThat(callsAfter(new IllegalStateException("in the driver"))).endsWith("abort", "close");
  }

  @Test
  void aConnectionThatWeRefuseGoesBack() {
    assertThat(callsAfter(new BackendFailure(Effect.NONE, "in the driver", null)))
        .contains("close")
        .doesNotContain("abort");
    assertThat(callsAfter(new BackendUnusableException("in the driver")))
        .contains("close")
        .doesNotContain("abort");
  }

  /** Returns what is called on a connection of an application whose preparation fails so. */
  private static List<String> callsAfter(Throwable failure) {
    List<String> calls = new ArrayList<>();
    Connection[] connection = new Connection[1];
    connection[0] =
        as(
            Connection.class,
            method -> {
              calls.add(method);
              return switch (method) {
                case "getMetaData" -> as(DatabaseMetaData.class, asked -> connection[0]);
                case "getAutoCommit" -> throw failure;
                default -> null;
              };
            });
    LockDatabase database =
        new MariaDatabase(
            "it",
            ServerSettings.standard(),
            new BorrowingSource(as(DataSource.class, method -> connection[0])),
            DeadlineTimer.NONE);
    assertThatThrownBy(() -> database.open(Deadline.in(Duration.ofSeconds(60)))).isSameAs(failure);
    return calls;
  }

  private interface Behaviour {
    @Nullable Object call(String method) throws Throwable;
  }

  private static <T> T as(Class<T> type, Behaviour behaviour) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> behaviour.call(method.getName())));
  }
}
