package io.holdfast.jdbc.postgres;

import static io.holdfast.jdbc.fixtures.LockFile.TTL;
import static io.holdfast.jdbc.fixtures.ServerSchema.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.error.BadRequestException;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.SessionSpec;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A database that cannot keep each text. */
class PostgresEncodingTest extends OnPostgres {

  @BeforeAll
  static void makeDatabase() {
    ServerSchema.execute(
        server.uri(),
        "CREATE DATABASE western ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'");
  }

  private static String western() {
    return server.uri().replace("/postgres?", "/western?");
  }

  @Test
  void aProcessIdentityThatItCannotKeepIsRefused() {
    try (LockBackend backend = ServerSchema.connect(western())) {
      assertRefused(
          () ->
              backend.open(
                  new SessionSpec(SessionId.fresh(), TTL, 0, new ProcessIdentity("Łódź")), soon()));
    }
  }

  @Test
  void aClientIsToldAtOnce() {
    try (LockClient client =
        Holdfast.builder().processIdentity(new ProcessIdentity("Łódź")).connect(western())) {
      assertRefused(() -> client.lock("a").acquire(Duration.ofDays(1)));
    }
  }

  @Test
  void namesAndReasonsAreKept() {
    try (LockClient client = Holdfast.connect(western());
        Grant grant =
            client
                .lock("Łódź")
                .acquire(AcquireOptions.within(Duration.ofSeconds(60)).why("Łódź"))) {
      assertThat(client.find("Łódź").orElseThrow().holder().orElseThrow())
          .satisfies(holder -> assertThat(holder.why()).isEqualTo("Łódź"));
      assertThat(grant.isHeld()).isTrue();
    }
  }

  private static void assertRefused(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("LATIN1")
        .hasMessageContaining("ENCODING 'UTF8'");
  }
}
