package io.holdfast.etcd.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.holdfast.LockName;
import io.holdfast.etcd.EtcdLockProvider;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.etcd.EtcdServer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server whose space is used up takes nothing more, but what needs no space. */
@Tag("server")
class EtcdSpaceTest {

  private static final LockName LOCK = new LockName("a");
  private static final int QUOTA = 4 * 1024 * 1024;
  private static final int VALUE = 512 * 1024;

  @Test
  void whatIsHeldIsRenewedGivenBackAndBrokenWithoutSpace() throws Exception {
    try (EtcdServer server = EtcdServer.launch("--quota-backend-bytes=" + QUOTA);
        LockBackend backend =
            new EtcdLockProvider()
                .connect(
                    "etcd://" + server.address(), BackendOptions.DEFAULTS, StoreFixture.soon())) {
      SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
      SpiClient operator = SpiClient.open(backend, StoreFixture.LONG);
      Held broken = client.hold(LOCK);
      Held kept = client.hold(new LockName("b"));
      fill(server);

      assertThatThrownBy(() -> client.hold(new LockName("c")))
          .isInstanceOf(BackendFailure.class)
          .hasMessageContaining("compact");
      client.renewed();
      assertThat(operator.revoke(broken.observed(), RevokeWhen.NOW))
          .isEqualTo(new Revocation.Freed());
      assertThat(operator.isFree(LOCK)).isTrue();
      assertThatThrownBy(() -> client.releaseAfter(kept.request(), StoreFixture.LONG))
          .isInstanceOf(BackendFailure.class)
          .hasMessageContaining("compact");
      assertThat(client.holding(kept.request())).isEqualTo(kept);
      client.release(kept);
      assertThat(operator.isFree(new LockName("b"))).isTrue();
    }
  }

  /** Writes until the server refuses: it learns of its size only now and then. */
  private static void fill(EtcdServer server) throws Exception {
    ByteSequence value = ByteSequence.from(new byte[VALUE]);
    try (Client client = Client.builder().endpoints("http://" + server.address()).build()) {
      await().atMost(StoreFixture.LONG).until(() -> refuses(client, value));
    }
  }

  private static boolean refuses(Client client, ByteSequence value) throws Exception {
    ByteSequence key = ByteSequence.from("filler", StandardCharsets.UTF_8);
    try {
      Object unused = client.getKVClient().put(key, value).get(60, TimeUnit.SECONDS);
      return false;
    } catch (ExecutionException full) {
      assertThat(full).hasMessageContaining("space exceeded");
      return true;
    }
  }
}
