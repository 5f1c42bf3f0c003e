package io.holdfast.jdbc;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** The whole kit on an H2 database in a file, which several processes share. */
class H2TckTest extends HoldfastTck {

  @TempDir Path directory;

  @Override
  protected TckStore openStore() {
    return new H2Store(H2Place.in(directory));
  }

  private record H2Store(H2Place place)
      implements TckStore, ClockControl, RestartControl, StepControl {

    @Override
    public LockBackend connect(BackendOptions options) {
      return place.backend(ServerSettings.standard(), options);
    }

    @Override
    public LockBackend connect(BackendOptions options, Runnable beforeStep) {
      return place.backend(
          ServerSettings.standard().onStatement(text -> beforeStep.run()), options);
    }

    @Override
    public Optional<String> uri() {
      return Optional.of(place.uri());
    }

    /** The machine's clock stays as it is: what is on record moves the other way. */
    @Override
    public void stepClock(Duration by) {
      place.moveTimes(by.negated());
    }

    /** The machine was booted since. */
    @Override
    public void restartLosingNothing() {
      place.execute("UPDATE holdfast_sessions SET incarnation = 'an earlier boot of this machine'");
    }

    @Override
    public void close() {
      place.close();
    }
  }
}
