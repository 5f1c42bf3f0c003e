package io.holdfast.jdbc.postgres.kit;

import static io.holdfast.jdbc.postgres.PostgresSchema.soon;

import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.database.StoreTime;
import io.holdfast.jdbc.fixtures.RewritingSource;
import io.holdfast.jdbc.postgres.PostgresSchema;
import io.holdfast.jdbc.postgres.PostgresSource;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.report.NotApplicableException;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.postgres.PostgresServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Tables that are made to look as after a restart or a loss of the server, which goes on for all
 * others that use it. Clients may send other statements than they should.
 */
final class ImitatedStore
    implements TckStore, StepControl, ClockControl, RestartControl, FailOverControl {

  /** What must come to be does not in a mutant; nobody need wait for it for long. */
  private static final Duration LONG_WAIT_OF_CHANGED = Duration.ofSeconds(3);

  private static final Duration LONG_WAIT_OF_SPOILED = Duration.ofSeconds(6);

  private final PostgresSchema schema;
  private final RewritingSource source;
  private final Duration longWait;
  private final List<LockBackend> backends = new CopyOnWriteArrayList<>();

  private ImitatedStore(PostgresServer server, Duration longWait, UnaryOperator<String> change) {
    this.schema = PostgresSchema.make(server);
    this.longWait = longWait;
    this.source = new RewritingSource(new PostgresSource(schema.uri()), change);
  }

  static ImitatedStore asItIs(PostgresServer server) {
    return new ImitatedStore(server, Duration.ofSeconds(30), UnaryOperator.identity());
  }

  /** For a mutant that is put around it. */
  static ImitatedStore toBeSpoiled(PostgresServer server) {
    return new ImitatedStore(server, LONG_WAIT_OF_SPOILED, UnaryOperator.identity());
  }

  static ImitatedStore changed(PostgresServer server, UnaryOperator<String> change) {
    return new ImitatedStore(server, LONG_WAIT_OF_CHANGED, change);
  }

  @Override
  public Duration longWait() {
    return longWait;
  }

  @Override
  public LockBackend connect(BackendOptions options) {
    return connect(options, () -> {});
  }

  @Override
  public LockBackend connect(BackendOptions options, Runnable beforeStep) {
    ServerSettings settings = ServerSettings.standard().onStatement(text -> beforeStep.run());
    LockBackend backend = Backends.postgres(schema.uri(), source, settings, options, soon());
    backends.add(backend);
    return backend;
  }

  /** Moves the recorded times the other way. */
  @Override
  public void stepClock(Duration by) {
    schema.execute(
        """
        UPDATE holdfast_sessions SET renewed = renewed + %1$d;
        UPDATE holdfast_locks SET since = since + %1$d, stay_from = stay_from + %1$d;
        UPDATE holdfast_queue SET since = since + %1$d, stay_from = stay_from + %1$d;
        UPDATE holdfast_namespace SET guard_until = guard_until + %1$d WHERE guard_until <> 0"""
            .formatted(StoreTime.micros(by.negated())));
  }

  @Override
  public void restartLosingNothing() {
    schema.execute(
        """
        UPDATE holdfast_sessions SET incarnation = 'former';
        UPDATE holdfast_locks SET stay_in = 'former' WHERE stay <> '';
        UPDATE holdfast_queue SET stay_in = 'former' WHERE stay <> ''""");
  }

  /** The last writes are gone, and what is there was written on another timeline. */
  @Override
  public void failOverLosing(Runnable lastWrites) {
    schema.execute(ofEachTable("CREATE TABLE kept_%1$s AS TABLE %1$s;"));
    lastWrites.run();
    schema.execute(
        ofEachTable("DELETE FROM %1$s; INSERT INTO %1$s TABLE kept_%1$s; DROP TABLE kept_%1$s;")
            + """
        UPDATE holdfast_sessions SET opened_in = 'former';
        UPDATE holdfast_locks SET given_in = 'former';
        UPDATE holdfast_namespace SET life = 'former'""");
  }

  private String ofEachTable(String statements) {
    return schema.tables().stream()
        .map(table -> statements.formatted(table))
        .collect(Collectors.joining());
  }

  @Override
  public void loseEverything() {
    throw new NotApplicableException("Only its tables are made to look as after a loss.");
  }

  @Override
  public void close() {
    backends.forEach(LockBackend::close);
    schema.close();
  }
}
