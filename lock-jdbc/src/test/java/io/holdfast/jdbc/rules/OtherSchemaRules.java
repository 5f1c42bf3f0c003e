package io.holdfast.jdbc.rules;

import static io.holdfast.jdbc.fixtures.LockFile.request;
import static io.holdfast.jdbc.fixtures.LockFile.session;
import static io.holdfast.jdbc.fixtures.LockFile.soon;
import static io.holdfast.jdbc.fixtures.LockFile.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.fixtures.LedSource;
import io.holdfast.jdbc.fixtures.ServerSchema;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Renewed;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Connections of an application that somebody has left in another schema. The same names mean other
 * tables there, and so other locks.
 */
public interface OtherSchemaRules {

  int CALLS = 3;

  ServerSchema schema();

  /** Makes another schema, of the same server. */
  ServerSchema another();

  /** The statement that leads a connection into a schema. */
  String leading(String schema);

  private LedSource source(String... schemas) {
    return new LedSource(
        schema().uri(), List.of(schemas).stream().map(this::leading).toArray(String[]::new));
  }

  private static LockBackend over(LedSource source, ServerSettings settings) {
    return Backends.over(source, settings, BackendOptions.DEFAULTS, soon());
  }

  private static int tablesOf(ServerSchema schema) {
    return Integer.parseInt(
        schema.text(
            "SELECT count(*) FROM information_schema.tables WHERE table_schema = '%s'"
                .formatted(schema.name())));
  }

  private void assertNamesBoth(Throwable failure, ServerSchema other) {
    assertThat(failure)
        .isInstanceOf(BackendUnusableException.class)
        .hasMessageContaining("\"%s\"", schema().name())
        .hasMessageContaining("\"%s\"", other.name())
        .hasMessageContaining("tablePrefix, as \"%s.holdfast_\"", schema().name());
  }

  @Test
  default void aConnectionThatLeadsToAnotherSchemaThanTheFirstIsRefused() {
    LedSource source = source(schema().name());
    try (ServerSchema other = another();
        LockBackend backend = over(source, ServerSettings.standard())) {
      // given
      SessionId mine = session(backend);

      // when
      source.lead(leading(other.name()));
      List<Throwable> failures = new ArrayList<>();
      for (int i = 0; i < CALLS; i++) {
        failures.add(catchThrowable(() -> backend.grab(request(mine, "a", IfHeld.REFUSE), soon())));
      }

      // then
      assertThat(tablesOf(other)).as("tables in the other schema").isZero();
      assertThat(failures).allSatisfy(failure -> assertNamesBoth(failure, other));
      assertThat(backend.renew(mine, soon())).isInstanceOf(Renewed.Alive.class);
      source.lead(leading(schema().name()));
      take(backend, request(mine, "a", IfHeld.REFUSE));
    }
  }

  @Test
  default void aPoolWhoseConnectionsLeadToTwoSchemasIsRefusedAtOnce() {
    try (ServerSchema other = another()) {
      LedSource source = source(schema().name(), other.name());

      Throwable failure =
          catchThrowable(
              () -> {
                try (LockBackend backend = over(source, ServerSettings.standard())) {
                  session(backend);
                }
              });

      assertThat(List.of(tablesOf(schema()), tablesOf(other)))
          .as("tables in either schema")
          .contains(0);
      assertThat(failure)
          .isInstanceOf(BackendUnusableException.class)
          .hasMessageContaining("\"%s\"", schema().name())
          .hasMessageContaining("\"%s\"", other.name());
    }
  }

  @Test
  default void whereverConnectionsLeadTheTablesAreWhereTheirPrefixSays() {
    try (ServerSchema other = another()) {
      LedSource source = source(schema().name(), other.name());
      ServerSettings settings = ServerSettings.standard().prefix(schema().name() + ".holdfast_");

      try (LockBackend backend = over(source, settings)) {
        SessionId mine = session(backend);
        for (int i = 0; i < CALLS; i++) {
          take(backend, request(mine, "a" + i, IfHeld.REFUSE));
        }
      }

      assertThat(tablesOf(other)).as("tables in the other schema").isZero();
      assertThat(schema().text("SELECT count(*) FROM holdfast_locks"))
          .isEqualTo(Integer.toString(CALLS));
    }
  }
}
