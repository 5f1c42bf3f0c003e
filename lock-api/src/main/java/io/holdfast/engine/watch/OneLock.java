package io.holdfast.engine.watch;

import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.Watching;
import java.util.List;
import java.util.Optional;

/** One lock that is watched. */
record OneLock(Watching watching) implements Sight {

  @Override
  public Page read(Optional<LockName> after, Deadline deadline) {
    return new Page(List.of(watching.read(LockClient.WAITERS_READ, deadline)), Optional.empty());
  }

  @Override
  public void close() {
    watching.close();
  }
}
