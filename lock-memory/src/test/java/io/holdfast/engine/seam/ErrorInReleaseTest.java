package io.holdfast.engine.seam;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.ProcessIdentity;
import io.holdfast.engine.EngineClient;
import io.holdfast.engine.turn.EngineSettings;
import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryStore;
import io.holdfast.spi.BackendOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** An error strikes before a release has reached the store: the lock is given back all the same. */
class ErrorInReleaseTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  private final MemoryStore store = new MemoryStore("errors", MemoryOptions.DEFAULTS);
  private final AtomicBoolean strikes = new AtomicBoolean();

  private Seam seam() {
    Seam real = new ThreadedSeam();
    return (Seam)
        Proxy.newProxyInstance(
            Seam.class.getClassLoader(),
            new Class<?>[] {Seam.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("callHere") && strikes.getAndSet(false)) {
                throw new StackOverflowError("(test)");
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private LockClient client() {
    return EngineClient.on(
        seam(),
        store.connect(BackendOptions.DEFAULTS),
        new EngineSettings(
            new ProcessIdentity("test"),
            LONG,
            Optional.empty(),
            Optional.empty(),
            0.01,
            "",
            false,
            List.of(),
            Runnable::run));
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
