package io.holdfast.jdbc;

import static org.junit.jupiter.api.Assumptions.abort;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.server.PostgresServer;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The whole kit on a PostgreSQL server, each test in a schema of its own. */
@Tag("server")
class PostgresTckTest extends HoldfastTck {

  private static PostgresServer server;

  @BeforeAll
  static void startServer() {
    server = PostgresServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  protected TckStore openStore() {
    return new PostgresStore(PostgresSchema.make(server));
  }

  private record PostgresStore(PostgresSchema schema)
      implements TckStore, RestartControl, FailOverControl, StepControl, ClockControl {

    @Override
    public LockBackend connect(BackendOptions options) {
      return schema.backend(ServerSettings.standard(), options);
    }

    @Override
    public LockBackend connect(BackendOptions options, Runnable beforeStep) {
      return schema.backend(
          ServerSettings.standard().onStatement(text -> beforeStep.run()), options);
    }

    @Override
    public Optional<String> uri() {
      return Optional.of(schema.uri());
    }

    @Override
    public void restartLosingNothing() {
      server.restart();
    }

    @Override
    public void failOverLosing(Runnable lastWrites) {
      server.restoreWithout(lastWrites);
    }

    @Override
    public void loseEverything() {
      abort("nothing tells a database whose tables were lost from a new one: a stated limit");
    }

    /** Moves what is on record the other way; the server has the machine's clock. */
    @Override
    public void stepClock(Duration by) {
      schema.moveTimes(by.negated());
    }

    @Override
    public void close() {
      schema.close();
    }
  }
}
