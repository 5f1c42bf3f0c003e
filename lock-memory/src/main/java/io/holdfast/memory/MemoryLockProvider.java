package io.holdfast.memory;

import io.holdfast.error.BadRequestException;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockProvider;
import java.util.List;

/** {@code memory:NAME}: the store of that name in this process, made when it is first asked for. */
public final class MemoryLockProvider implements LockProvider {

  private static final String SCHEME = "memory:";

  /** Made by {@link java.util.ServiceLoader}. */
  public MemoryLockProvider() {}

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public List<String> uriForms() {
    return List.of("memory:NAME");
  }

  @Override
  public boolean accepts(String uri) {
    return uri.startsWith(SCHEME);
  }

  @Override
  public LockBackend connect(String uri, BackendOptions options, Deadline deadline) {
    String name = uri.substring(SCHEME.length());
    if (!name.matches("[A-Za-z0-9._-]+")) {
      throw new BadRequestException(
          "A store in memory is memory:NAME, of letters, digits, '.', '_' and '-'; this is " + uri);
    }
    return MemoryStore.named(name).connect(options);
  }
}
