package io.holdfast.engine.seam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.memory.world.InterceptedSeam;
import io.holdfast.memory.world.RealTime;
import io.holdfast.spi.BackendOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** An error strikes before a release has reached the store: the lock is given back all the same. */
class ErrorInReleaseTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  private final MemoryStore store = new MemoryStore("errors", MemoryOptions.DEFAULTS);
  private final AtomicBoolean strikes = new AtomicBoolean();

  private LockClient client() {
    Seam seam =
        new InterceptedSeam(new ThreadedSeam()) {
          @Override
          public <T> T callHere(Duration timeout, Verb<T> verb) {
            if (strikes.getAndSet(false)) {
              throw new StackOverflowError("(test)");
            }
            return super.callHere(timeout, verb);
          }
        };
    return RealTime.client(seam, store.connect(BackendOptions.DEFAULTS));
  }

  @Test
  void aReleaseThatDiesIsDoneInTheBackground() {
    try (LockClient client = client();
        LockClient other = client()) {
      Grant grant = client.lock("a").acquire(LONG);
      strikes.set(true);
      assertThatThrownBy(grant::release).isInstanceOf(StackOverflowError.class);
      assertThat(grant.isHeld()).isFalse();
      other.lock("a").acquire(LONG).release();
      client.lock("a").acquire(LONG).release();
    }
  }
}
