package io.holdfast.jdbc.postgres.failure;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.fixtures.ServerSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.SessionId;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.testing.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tables go on in another cluster, whose timeline has the same number. */
class PostgresRestoreTest extends OnPostgres {

  @Test
  void aDumpInAnotherClusterHasNoSessionOfTheOneThatItWasMadeOf(@TempDir Path directory) {
    try (PostgresServer other = PostgresServer.launchAnotherCluster()) {
      // given
      LockBackend before = schema.backend();
      SessionId former = session(before);
      server.dump(schema.name(), directory.resolve("dump"));
      take(before, request(former, "a", IfHeld.REFUSE));

      // when
      other.restore(directory.resolve("dump"));

      // then
      try (LockBackend after = ServerSchema.connect(schema.uri("127.0.0.1:" + other.port()))) {
        assertThat(after.renew(former, soon())).isEqualTo(new Renewed.Over());
        assertThat(after.grab(request(session(after), "a", IfHeld.QUEUE), soon()))
            .isInstanceOf(Attempt.Delayed.class);
      }
    }
  }

  /** An exclusive grant that the data has lost may have had a greater number than theirs. */
  @Test
  void noRunOfReadersGoesOnAfterWhatThePageSaysWhereDataWasPutBack() throws IOException {
    // given
    LockBackend before = schema.backend();
    Request former = request(session(before), "a", IfHeld.QUEUE).with(LockMode.SHARED);
    long number = take(before, former).number();

    // when
    for (String statement : statementsOfThePage()) {
      schema.execute(statement);
    }

    // then
    AcquireOptions shared = AcquireOptions.within(Duration.ofSeconds(60)).shared();
    try (LockClient after = Holdfast.connect(schema.uri() + "&restartGuard=off");
        Grant grant = after.lock("a").acquire(shared)) {
      assertThat(grant.token().number()).isGreaterThan(number);
    }
  }

  private static List<String> statementsOfThePage() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "backends", "postgresql.md"));
    int begin = page.indexOf("BEGIN;\nDELETE FROM holdfast_sessions;");
    String block = page.substring(page.indexOf('\n', begin), page.indexOf("COMMIT;", begin));
    return Stream.of(block.split(";", -1))
        .map(String::strip)
        .filter(each -> !each.isEmpty())
        .toList();
  }
}
