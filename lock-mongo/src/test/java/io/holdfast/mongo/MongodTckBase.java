package io.holdfast.mongo;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.HoldfastTck;
import io.holdfast.tck.store.RestartControl;
import io.holdfast.tck.store.StepControl;
import io.holdfast.tck.store.TckStore;
import io.holdfast.tck.store.WipeControl;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** The whole kit on real servers. */
public abstract class MongodTckBase extends HoldfastTck {

  private static final AtomicLong SERIALS = new AtomicLong();

  /** Returns the URI of a database. */
  protected abstract String uri(String database);

  /** Restarts the servers as an incarnation that has not written to the database. */
  protected abstract void restartServers(String database);

  @Override
  protected final TckStore openStore() {
    return new MongodStore("test" + SERIALS.incrementAndGet());
  }

  private final class MongodStore implements TckStore, RestartControl, StepControl, WipeControl {

    private final String database;

    MongodStore(String database) {
      this.database = database;
    }

    @Override
    public LockBackend connect(BackendOptions options) {
      return connect(options, () -> {});
    }

    @Override
    public LockBackend connect(BackendOptions options, Runnable beforeStep) {
      return MongoLockProvider.connect(
          MongodTckBase.this.uri(database),
          MongoSettings.standard().onCommand(what -> beforeStep.run()),
          options,
          Deadline.in(Duration.ofSeconds(20)));
    }

    @Override
    public Optional<String> uri() {
      return Optional.of(MongodTckBase.this.uri(database));
    }

    @Override
    public void restartLosingNothing() {
      restartServers(database);
    }

    @Override
    public void wipe() {
      drop();
    }

    @Override
    public void close() {
      drop();
    }

    private void drop() {
      try (MongoClient client = MongoClients.create(MongodTckBase.this.uri(database))) {
        client.getDatabase(database).drop();
      }
    }
  }
}
