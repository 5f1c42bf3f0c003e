package io.holdfast.tck;

import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.process.ProcessSubject;
import io.holdfast.tck.process.client.ClientSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** The store of a fixture, for the rules about many clients in many processes. */
record FixtureSubject(StoreFixture fixture) implements ProcessSubject {

  /** Has the namespace's settings written first: a child would write the defaults. */
  static FixtureSubject of(StoreFixture fixture) {
    fixture.client().closeSession();
    return new FixtureSubject(fixture);
  }

  @Override
  public LockClient connect(ClientSettings settings) {
    return settings.builder().connect(fixture.connect(BackendOptions.DEFAULTS));
  }

  @Override
  public Optional<String> uri() {
    return fixture.uri();
  }

  @Override
  public Duration goneAfter() {
    return ProcessSubject.super.goneAfter().plus(fixture.store().endsLate());
  }

  @Override
  public boolean isEmbedded() {
    return fixture.store().isEmbedded();
  }

  @Override
  public Order order() {
    return fixture.capabilities().order();
  }

  @Override
  public Set<LockMode> modes() {
    return fixture.capabilities().modes();
  }
}
