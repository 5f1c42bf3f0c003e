package io.holdfast.jdbc.postgres.failure;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static io.holdfast.jdbc.fixtures.ServerSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.SessionId;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.testing.postgres.PostgresServer;
import java.nio.file.Path;
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
}
