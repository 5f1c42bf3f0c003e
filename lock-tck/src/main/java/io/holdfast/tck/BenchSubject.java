package io.holdfast.tck;

import io.holdfast.LockClient;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.tck.process.ClientSettings;
import io.holdfast.tck.process.ProcessSubject;
import io.holdfast.tck.rules.Bench;
import java.time.Duration;
import java.util.Optional;

/** The store on a bench, for the rules about many clients in many processes. */
record BenchSubject(Bench bench) implements ProcessSubject {

  /** Has the namespace's settings written first: a child would write the defaults. */
  static BenchSubject of(Bench bench) {
    bench.client().closeSession();
    return new BenchSubject(bench);
  }

  @Override
  public LockClient connect(ClientSettings settings) {
    return settings.builder().connect(bench.connect(BackendOptions.DEFAULTS));
  }

  @Override
  public Optional<String> uri() {
    return bench.uri();
  }

  @Override
  public Duration goneAfter() {
    return ProcessSubject.super.goneAfter().plus(bench.store().endsLate());
  }

  @Override
  public boolean isEmbedded() {
    return bench.store().isEmbedded();
  }

  @Override
  public Order order() {
    return bench.capabilities().order();
  }
}
