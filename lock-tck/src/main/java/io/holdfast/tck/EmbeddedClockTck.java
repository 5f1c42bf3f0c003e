package io.holdfast.tck;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.client.ClockStepRules;
import io.holdfast.tck.rules.ClockRules;
import io.holdfast.tck.rules.TokenRules;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.tck.store.RealClockControl;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.TckStore;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The rules that ask for a {@link RealClockControl}, for a store that lives in its clients'
 * processes and so has their clock. They run in a child JVM whose wall clock can be set, one after
 * the other; all other rules are for the class that runs the whole kit, which names this one in
 * {@link io.holdfast.tck.report.Adapter#provedBy}.
 *
 * <p>In the child the class is made by its constructor without arguments, and JUnit injects
 * nothing. Building the clock takes what servers take: tools of the system.
 */
@Tag("server")
@SharedServer(disturbedBy = RealClockControl.class)
@ExtendWith(InClockedChild.class)
public abstract class EmbeddedClockTck extends TckBase
    implements TokenRules, ClockRules, ClockStepRules {

  /**
   * Connects to the store whose files are in that directory, as another client would. Called in the
   * child JVM.
   */
  protected abstract LockBackend connect(Path directory, BackendOptions options);

  @Override
  protected final TckStore openStore() throws IOException {
    return new EmbeddedStore(Files.createTempDirectory("holdfast-embedded-"), this::connect);
  }

  @FunctionalInterface
  private interface Connector {
    LockBackend connect(Path directory, BackendOptions options);
  }

  private record EmbeddedStore(Path directory, Connector connector)
      implements TckStore, RealClockControl {

    @Override
    public LockBackend connect(BackendOptions options) {
      return connector.connect(directory, options);
    }

    @Override
    public boolean isEmbedded() {
      return true;
    }

    @Override
    public void stepClock(Duration by) {
      ShiftedClock.ofThisProcess().step(by);
    }

    @Override
    public void close() throws IOException {
      try (Stream<Path> files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
      }
    }
  }
}
