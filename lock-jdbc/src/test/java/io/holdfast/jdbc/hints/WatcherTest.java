package io.holdfast.jdbc.hints;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.jdbc.database.ChangeSource;
import io.holdfast.jdbc.fixtures.LockFile;
import io.holdfast.jdbc.pools.BackendConnections;
import io.holdfast.jdbc.sqlite.SqliteDatabase;
import io.holdfast.jdbc.sqlite.SqliteFile;
import io.holdfast.jdbc.sqlite.SqliteSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatcherTest {

  private static final Duration WAIT_MAX = Duration.ofSeconds(60);
  private static final Duration LONG = Duration.ofMillis(250);
  private static final Duration SHORT = Duration.ofMillis(20);

  @TempDir private Path directory;

  /** Is worth asking seldom at first, and more often after some waits, none of which ends early. */
  private static final class Hastening implements ChangeSource.Watch {
    private static final int PATIENT = 10;

    private final List<Duration> waits = new CopyOnWriteArrayList<>();

    List<Duration> hasty() {
      return waits.stream().skip(PATIENT).toList();
    }

    @Override
    public boolean hasChanged() {
      return false;
    }

    @Override
    public Duration brisk() {
      return Duration.ofMillis(1);
    }

    @Override
    public Duration longestPause() {
      return waits.size() < PATIENT ? LONG : SHORT;
    }

    @Override
    public boolean await(Duration atMost) throws InterruptedException {
      waits.add(atMost);
      Thread.sleep(1);
      return false;
    }

    @Override
    public void close() {}
  }

  /** Longer only where it has worked for long itself. */
  @Test
  void itWaitsNoLongerThanIsWorthWaitingNow() {
    SqliteDatabase database =
        new SqliteDatabase(
            SqliteFile.ofUri("jdbc:sqlite:" + directory.resolve("locks.db")),
            SqliteSettings.standard());
    Hastening watch = new Hastening();
    try (Watcher watcher =
        new Watcher(
            database,
            BackendConnections.ofFile(database),
            own -> watch,
            new Awaited(database.dialect()),
            LockFile.soon())) {
      watcher.start();

      await().atMost(WAIT_MAX).until(() -> watch.hasty().size() > 50);
    }

    assertThat(watch.waits).contains(LONG);
    assertThat(watch.hasty()).contains(SHORT);
  }
}
