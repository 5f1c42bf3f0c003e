package io.holdfast.memory.toy;

import io.holdfast.LockClient;
import io.holdfast.spi.Capabilities.Order;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.process.ProcessSubject;
import io.holdfast.tck.process.client.ClientSettings;
import io.holdfast.tck.process.client.ClientSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * A toy store in a file, with or without a flaw.
 *
 * @param connecting how long it takes at least to connect a client in this JVM
 */
record ToySubject(Path directory, Flaw flaw, Duration ttl, Duration maxWait, Duration connecting)
    implements ProcessSubject {

  ToySubject(Path directory, Flaw flaw, Duration ttl, Duration maxWait) {
    this(directory, flaw, ttl, maxWait, Duration.ZERO);
  }

  @Override
  public LockClient connect(ClientSettings settings) {
    StoreFixture.pass(connecting);
    return new InChildren().connect(uri().orElseThrow(), settings);
  }

  @Override
  public Optional<String> uri() {
    return Optional.of(flaw + ":" + directory.resolve("toy"));
  }

  @Override
  public Order order() {
    return Order.FIFO;
  }

  @Override
  public Set<Stays> stays() {
    return Set.of(Stays.LOCK_DELAY, Stays.AT_LEAST);
  }

  @Override
  public Class<? extends ClientSource> clientSource() {
    return InChildren.class;
  }

  @Override
  public Duration goneAfter() {
    return ttl.multipliedBy(5).dividedBy(3);
  }

  /** Connects to what {@link #uri} says. */
  static final class InChildren implements ClientSource {
    @Override
    public LockClient connect(String uri, ClientSettings settings) {
      String[] parts = uri.split(":", 2);
      Flaw flaw = Flaw.valueOf(parts[0]);
      return new ToyClient(new ToyStore(Path.of(parts[1]), flaw), flaw, settings);
    }
  }
}
