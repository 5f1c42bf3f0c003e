package io.holdfast.mongo;

import io.holdfast.LockName;
import io.holdfast.mongo.imitation.ImitationTestBase;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Base of tests in which others act between two commands of a client. */
public abstract class InterleavedTestBase extends ImitationTestBase {

  protected static final LockName LOCK = new LockName("orders/42");

  private static int serial;

  protected final String database;
  protected final List<LockBackend> backends = new ArrayList<>();

  /** What others do before each of the next commands of the client under test. */
  protected final Deque<Runnable> meanwhile = new ArrayDeque<>();

  /** The commands of the client under test. */
  protected final List<String> commands = new ArrayList<>();

  private final BackendOptions options;

  protected InterleavedTestBase(String purpose, BackendOptions options) {
    this.database = purpose + ++serial;
    this.options = options;
  }

  @BeforeEach
  final void open() {
    server.remember(database);
  }

  @AfterEach
  final void close() {
    backends.forEach(LockBackend::close);
    server.drop(database);
    proxy.requireNoFaults();
  }

  final SpiClient client(MongoSettings settings, BackendOptions options) {
    LockBackend backend =
        MongoLockProvider.connect(proxy.uri(database), settings, options, StoreFixture.soon());
    backends.add(backend);
    return SpiClient.open(backend, StoreFixture.LONG);
  }

  protected final SpiClient client() {
    return client(MongoSettings.standard(), options);
  }

  /** Returns a client whose commands are counted, and between which others act. */
  protected final SpiClient clientUnderTest() {
    return client(MongoSettings.standard().onCommand(this::beforeCommand), options);
  }

  private void beforeCommand(String command) {
    commands.add(command);
    Runnable next = meanwhile.poll();
    if (next != null) {
      next.run();
    }
  }

  protected static void nothing() {}
}
