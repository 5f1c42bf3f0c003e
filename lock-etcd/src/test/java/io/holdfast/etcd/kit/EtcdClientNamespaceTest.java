package io.holdfast.etcd.kit;

import io.etcd.jetcd.Client;
import io.holdfast.etcd.EtcdLocks;
import io.holdfast.etcd.format.Keys;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.TckBase;
import io.holdfast.tck.adapter.WatchPushRules;
import io.holdfast.tck.client.OrphanRules;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.rules.session.ResumeRules;
import io.holdfast.tck.store.TckStore;
import io.holdfast.testing.etcd.EtcdServer;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/**
 * A client of the application that has a namespace of its own, which jetcd puts before each key and
 * takes off again, but for the keys of a lease: what is found out by keys, and how changes of them
 * are told.
 */
@Adapter("etcd")
@Tag("server")
class EtcdClientNamespaceTest extends TckBase implements ResumeRules, OrphanRules, WatchPushRules {

  private static EtcdServer server;

  @BeforeAll
  static void startServer() {
    server = EtcdServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  protected TckStore openStore() {
    return new NamespacedStore();
  }

  private static final class NamespacedStore implements TckStore {
    private final Client client =
        Client.builder()
            .endpoints("http://" + server.address())
            .namespace(Keys.bytes("of/the/application/" + UUID.randomUUID() + "/"))
            .waitForReady(false)
            .build();

    @Override
    public LockBackend connect(BackendOptions options) {
      return EtcdLocks.on(client).connect(options, StoreFixture.soon());
    }

    @Override
    public void close() {
      client.close();
    }
  }
}
