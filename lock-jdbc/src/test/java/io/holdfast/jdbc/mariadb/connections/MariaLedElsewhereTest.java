package io.holdfast.jdbc.mariadb.connections;

import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.ServerSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.jdbc.connections.ConnectionSource;
import io.holdfast.jdbc.connections.DeadlineTimer;
import io.holdfast.jdbc.connections.RestorableConnection;
import io.holdfast.jdbc.database.LockDatabase;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.jdbc.mariadb.MariaDatabase;
import io.holdfast.jdbc.mariadb.MariaSchema;
import io.holdfast.jdbc.mariadb.MariaSource;
import io.holdfast.jdbc.mariadb.OnMaria;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.LockBackend;
import io.holdfast.testing.mariadb.MariaServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A proxy goes on with another server, in which others have locks, in the midst of the opening of a
 * connection: what was found out of the first server says nothing of the second.
 */
class MariaLedElsewhereTest extends OnMaria {

  private static final String SAME_ROW =
      "UPDATE holdfast_namespace SET life = 'former:3306/1/1', incarnation = '1'";

  private static MariaServer other;
  private MariaSchema there;

  @BeforeAll
  static void startOther() {
    other = MariaServer.launch();
  }

  @AfterAll
  static void stopOther() {
    other.close();
  }

  @BeforeEach
  void openSessionsOnBoth() {
    there = MariaSchema.make(other);
    openSession(schema);
    openSession(there);
  }

  /** And leaves nobody who would record anything later. */
  private static void openSession(ServerSchema schema) {
    try (LockBackend backend = ServerSchema.connect(schema.uri())) {
      session(backend);
    }
  }

  @Test
  void noSessionOfTheOtherServerIsEnded() {
    assertOpeningThatIsLedAtChangesNothing("sessions");
  }

  @Test
  void theOtherServerIsNotTakenForTheFirst() {
    schema.execute(SAME_ROW);
    there.execute(SAME_ROW);

    assertOpeningThatIsLedAtChangesNothing("UPDATE");
  }

  private void assertOpeningThatIsLedAtChangesNothing(String statement) {
    String before = state(there);
    ConnectionSource source = ledAt(statement);
    LockDatabase database =
        new MariaDatabase("it", ServerSettings.standard(), source, DeadlineTimer.NONE);

    assertThatThrownBy(() -> database.open(soon()))
        .isInstanceOf(BackendFailure.class)
        .hasMessageContaining("led to another server");

    assertThat(state(there)).isEqualTo(before);
    there.close();
  }

  private static String state(ServerSchema schema) {
    return schema.text(
        "SELECT concat(life, ' ', (SELECT group_concat(id) FROM holdfast_sessions)) FROM holdfast_namespace");
  }

  /** Leads to the other server from the first statement on that is prepared and has a word. */
  private ConnectionSource ledAt(String word) {
    return deadline ->
        RestorableConnection.ours(
            led(
                new MariaSource(schema.uri()).take(deadline).jdbc(),
                new MariaSource(there.uri()).take(deadline).jdbc(),
                word));
  }

  private static Connection led(Connection first, Connection second, String word) {
    AtomicReference<Connection> target = new AtomicReference<>(first);
    return (Connection)
        Proxy.newProxyInstance(
            Connection.class.getClassLoader(),
            new Class<?>[] {Connection.class},
            (proxy, method, given) -> {
              if (method.getName().equals("prepareStatement")
                  && ((String) given[0]).contains(word)) {
                target.set(second);
              }
              try {
                return method.invoke(target.get(), given);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              } finally {
                if (method.getName().equals("close") || method.getName().equals("abort")) {
                  close(first, second);
                }
              }
            });
  }

  private static void close(Connection... connections) throws SQLException {
    for (Connection connection : connections) {
      connection.close();
    }
  }
}
