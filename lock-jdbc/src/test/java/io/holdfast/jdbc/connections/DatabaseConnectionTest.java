package io.holdfast.jdbc.connections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.error.BadRequestException;
import io.holdfast.spi.Deadline;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whether a verb that fails has changed something. */
class DatabaseConnectionTest {

  private static final String CHANGE =
      "UPDATE numbers SET number = number + 1 WHERE number < 2 RETURNING number";

  private static @Nullable Object answer(String method) {
    return switch (method) {
      case "unprepared" -> "";
      case "originParameters" -> Map.of();
      case "compiled" -> NamedSql.of(CHANGE);
      default -> null;
    };
  }

  private static DatabaseConnection over(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE numbers (number INTEGER)");
      statement.execute("INSERT INTO numbers VALUES (1)");
    }
    Database database =
        (Database)
            Proxy.newProxyInstance(
                Database.class.getClassLoader(),
                new Class<?>[] {Database.class},
                (proxy, method, given) -> answer(method.getName()));
    DatabaseConnection made =
        new DatabaseConnection(RestorableConnection.ours(connection), database, "origin");
    made.begin(Deadline.in(Duration.ofSeconds(60)));
    return made;
  }

  @Test
  void whatIsChangedIsSoAlsoIfItsAnswerCannotBeRead() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:")) {
      DatabaseConnection changing = over(connection);

      assertThatThrownBy(
              () ->
                  changing.change(
                      CHANGE,
                      Map.of(),
                      row -> {
                        throw new BadRequestException("not ours (test)");
                      }))
          .isInstanceOf(BadRequestException.class);

      assertThat(changing.hasChanged()).isTrue();
      changing.begin(Deadline.in(Duration.ofSeconds(60)));
      Optional<Long> again = changing.change(CHANGE, Map.of(), row -> row.getLong(1));
      assertThat(again).as("changed before").isEmpty();
      assertThat(changing.hasChanged()).isFalse();
    }
  }
}
