package io.holdfast.jdbc;

import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.store.ClockControl;
import io.holdfast.tck.store.FailOverControl;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.SharedServer;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import io.holdfast.tck.store.WipeControl;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;

/** The whole kit on an H2 database in a file, which several processes share. */
@SharedServer(disturbedBy = {})
@Adapter(
    value = "h2",
    provedBy = {H2RestartTest.class, H2ClockTckTest.class})
class H2TckTest extends HoldfastTck {

  @TempDir Path directory;
  private final AtomicInteger files = new AtomicInteger();

  @Override
  protected TckStore openStore() {
    return new H2Store(H2Place.in(directory.resolve("db" + files.incrementAndGet())));
  }

  private record H2Store(H2Place place)
      implements TckStore, ClockControl, RestartControl, StepControl, FailOverControl, WipeControl {

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
    public boolean holdersLiveOn() {
      return false;
    }

    /** The power was lost, and so every holder too. */
    @Override
    public void failOverLosing(Runnable lastWrites) {
      LostWrites.lose(lastWrites, place::execute);
      restartLosingNothing();
    }

    /** The power takes the last writes, and no more. */
    @Override
    public void loseEverything() {
      wipe();
    }

    @Override
    public void wipe() {
      LostWrites.NAMES.forEach(table -> place.execute("DELETE FROM " + table));
    }

    @Override
    public void close() {
      place.close();
    }
  }
}
