package io.holdfast.jdbc.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.jdbc.connections.DeadlineTimer;
import io.holdfast.jdbc.connections.RestorableConnection;
import io.holdfast.jdbc.mariadb.MariaDatabase;
import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
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
}
