package io.holdfast.tck.process;

import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.spi.Capabilities;
import io.holdfast.spi.Capabilities.Stays;
import io.holdfast.tck.process.client.ClientSettings;
import io.holdfast.tck.process.client.ClientSource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A store under test with sessions of another TTL. */
record SubjectWithTtl(ProcessSubject subject, Duration ttl) implements ProcessSubject {

  @Override
  public LockClient connect(ClientSettings settings) {
    return subject.connect(settings);
  }

  @Override
  public Optional<String> uri() {
    return subject.uri();
  }

  @Override
  public Capabilities.Order order() {
    return subject.order();
  }

  @Override
  public Set<LockMode> modes() {
    return subject.modes();
  }

  @Override
  public Set<Stays> stays() {
    return subject.stays();
  }

  @Override
  public boolean isResumable() {
    return subject.isResumable();
  }

  @Override
  public boolean isEmbedded() {
    return subject.isEmbedded();
  }

  @Override
  public Class<? extends ClientSource> clientSource() {
    return subject.clientSource();
  }

  @Override
  public Duration maxWait() {
    return subject.maxWait();
  }

  @Override
  public Path directory() {
    return subject.directory();
  }
}
