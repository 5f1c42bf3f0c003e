package io.holdfast.tck.mutants;

import io.holdfast.LockClient;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A store whose connections have a mistake in them, and which is the original in all else. */
final class MutantStore implements TckStore {

  private final TckStore original;
  private final Mutant.Connector connector;
  private final UnaryOperator<LockBackend> engine;
  private final UnaryOperator<LockClient> application;
  private final Duration longWait;

  MutantStore(
      TckStore original,
      Mutant.Connector connector,
      UnaryOperator<LockBackend> engine,
      UnaryOperator<LockClient> application,
      Duration longWait) {
    this.original = original;
    this.connector = connector;
    this.engine = engine;
    this.application = application;
    this.longWait = longWait;
  }

  @Override
  public Duration longWait() {
    return longWait;
  }

  @Override
  public LockBackend asSeenByEngine(LockBackend connection) {
    return engine.apply(connection);
  }

  @Override
  public LockClient asSeenByApplication(LockClient client) {
    return application.apply(client);
  }

  @Override
  public LockBackend connect(BackendOptions options) {
    return connector.connect(options, original::connect);
  }

  @Override
  public Duration endsLate() {
    return original.endsLate();
  }

  @Override
  public Duration maxWait() {
    return original.maxWait();
  }

  @Override
  public <T> Optional<T> control(Class<T> kind) {
    if (kind != StepControl.class) {
      return original.control(kind);
    }
    return original.control(StepControl.class).map(steps -> kind.cast(spoiled(steps)));
  }

  private StepControl spoiled(StepControl steps) {
    return (options, beforeStep) ->
        connector.connect(options, wanted -> steps.connect(wanted, beforeStep));
  }

  @Override
  public void close() throws Exception {
    original.close();
  }
}
