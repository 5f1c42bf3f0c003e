package io.holdfast.tck;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.client.fault.ClockStepRules;
import io.holdfast.tck.rules.failure.ClockRules;
import io.holdfast.tck.rules.record.TokenRules;
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
 * The rules that need a {@link RealClockControl}, for a store that runs in the processes of its
 * clients and so uses their clock. They run one after the other in a child JVM whose wall clock can
 * be set. All other rules are run by the class that runs the whole kit, which names this one in
 * {@link io.holdfast.tck.report.Adapter#provedBy}.
 *
 * <p>The child calls the constructor without arguments, and JUnit injects nothing there. The clock
 * is built with {@code gcc}.
 */
@Tag("server")
@SharedServer(disturbedBy = RealClockControl.class)
@ExtendWith(ClockedChildExtension.class)
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
