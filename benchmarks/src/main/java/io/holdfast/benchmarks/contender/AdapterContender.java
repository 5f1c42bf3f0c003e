package io.holdfast.benchmarks.contender;

import io.holdfast.LockName;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockProvider;
import java.util.ServiceLoader;

/**
 * The verbs of Holdfast's adapter, without the engine.
 *
 * @param uri the store
 */
public record AdapterContender(String uri) implements Contender {

  @Override
  public String name() {
    return "Its adapter alone";
  }

  @Override
  public Role role() {
    return Role.HOLDFAST;
  }

  @Override
  public String settings() {
    return "grab and release of one session";
  }

  /** Connects as an application would that has this URI. */
  public static LockBackend connect(String uri) {
    return ServiceLoader.load(LockProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.accepts(uri))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("No adapter accepts " + uri))
        .connect(uri, BackendOptions.DEFAULTS, Deadline.in(Party.CALL));
  }

  @Override
  public OpenContender open(int threads) {
    LockBackend backend = connect(uri);
    return new OpenContender() {
      @Override
      public LockPair pair(String name) {
        Party party = new Party(backend);
        LockName lock = new LockName("adapter-" + name);
        return () -> {
          party.keepAlive();
          party.release(party.take(lock));
        };
      }

      @Override
      public void close() {
        backend.close();
      }
    };
  }
}
