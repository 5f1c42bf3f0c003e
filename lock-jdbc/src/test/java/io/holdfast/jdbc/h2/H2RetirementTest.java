package io.holdfast.jdbc.h2;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.fixtures.ServerSchema.connect;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.SessionId;
import io.holdfast.jdbc.JdbcLockProvider;
import io.holdfast.jdbc.database.QueueTextDialect;
import io.holdfast.record.Retirement;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Renewed;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Retiring tables where that takes several steps, after each of which the process may die. */
class H2RetirementTest {

  private static final String[] STEPS = {
    "ALTER TABLE holdfast_sessions ADD CONSTRAINT holdfast_sessions_retired CHECK (id IS NULL)",
    "DROP TABLE holdfast_locks",
    "DROP TABLE holdfast_sessions"
  };

  @TempDir private Path directory;
  private H2TestDatabase place;

  static Stream<Integer> stepsDone() {
    return IntStream.rangeClosed(0, STEPS.length).boxed();
  }

  @BeforeEach
  void open() {
    place = H2TestDatabase.in(directory);
  }

  @AfterEach
  void close() {
    place.close();
  }

  private Retirement retire() {
    return new JdbcLockProvider().retire(place.uri(), soon());
  }

  @ParameterizedTest
  @MethodSource("stepsDone")
  void anInterruptedRetirementIsTakenUp(int done) {
    LockBackend before = place.backend();
    SessionId session = session(before);
    before.end(session, EndIf.CLOSED, soon());
    place.execute("UPDATE holdfast_namespace SET protocol = 1");
    for (int step = 0; step < done; step++) {
      place.execute(STEPS[step]);
    }

    assertThat(retire()).isEqualTo(new Retirement.Retired(1));

    try (LockBackend after = connect(place.uri())) {
      Request request = request(session(after), "a", IfHeld.REFUSE);
      take(after, request);
    }
  }

  @Test
  void aClientThatLivesGoesOnAfterARefusal() {
    LockBackend backend = place.backend();
    SessionId session = session(backend);
    place.execute("UPDATE holdfast_namespace SET protocol = 1");

    assertThat(retire()).isInstanceOf(Retirement.InUse.class);

    // So that this client, which stands for one of the older version, may connect again.
    place.execute("UPDATE holdfast_namespace SET protocol = " + QueueTextDialect.PROTOCOL);
    assertThat(backend.renew(session, soon())).isInstanceOf(Renewed.Alive.class);
    take(backend, request(session, "a", IfHeld.REFUSE));
    assertThat(
            place.text(
                "SELECT count(*) FROM information_schema.table_constraints"
                    + " WHERE lower(constraint_name) LIKE '%retired'"))
        .isEqualTo("0");
  }
}
