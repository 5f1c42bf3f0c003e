package io.holdfast.tck;

import static org.awaitility.Awaitility.await;

import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.ResumableSessions;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.process.ProcessSubject;
import io.holdfast.tck.process.client.ClientSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** The store of a fixture, for the rules about many clients in many processes. */
record FixtureSubject(StoreFixture fixture) implements ProcessSubject {

  private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(90);

  /** Has the namespace's settings written first: a child would write the defaults. */
  static FixtureSubject of(StoreFixture fixture) {
    fixture.client().closeSession();
    return new FixtureSubject(fixture);
  }

  @Override
  public LockClient connect(ClientSettings settings) {
    return settings.builder().connect(backend());
  }

  /** Connects as an application does that starts while a server is failing over: until it can. */
  private LockBackend backend() {
    return await()
        .atMost(CONNECTED_WITHIN)
        .pollDelay(Duration.ZERO)
        .pollInSameThread()
        .ignoreExceptionsInstanceOf(BackendFailure.class)
        .until(() -> fixture.connect(BackendOptions.DEFAULTS), connected -> true);
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
  public boolean isResumable() {
    return fixture.connect(BackendOptions.DEFAULTS) instanceof ResumableSessions;
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

  @Override
  public Set<Stays> stays() {
    return fixture.capabilities().stays();
  }
}
