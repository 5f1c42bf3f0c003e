package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.holdfast.LockName;
import io.holdfast.Revocation;
import io.holdfast.RevokeWhen;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.rules.Bench;
import io.holdfast.tck.rules.Held;
import io.holdfast.tck.rules.SpiClient;
import io.holdfast.tck.server.EtcdServer;
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
                .connect("etcd://" + server.address(), BackendOptions.DEFAULTS, Bench.soon())) {
      SpiClient client = SpiClient.open(backend, Bench.LONG);
      SpiClient operator = SpiClient.open(backend, Bench.LONG);
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
      client.release(kept);
      assertThat(operator.isFree(new LockName("b"))).isTrue();
    }
  }

  private static void fill(EtcdServer server) throws Exception {
    ByteSequence value = ByteSequence.from(new byte[VALUE]);
    try (Client client = Client.builder().endpoints("http://" + server.address()).build()) {
      for (int i = 0; i < 2 * QUOTA / VALUE; i++) {
        ByteSequence key = ByteSequence.from("filler/" + i, StandardCharsets.UTF_8);
        Object unused = client.getKVClient().put(key, value).get(60, TimeUnit.SECONDS);
      }
    } catch (ExecutionException full) {
      assertThat(full).hasMessageContaining("space exceeded");
    }
  }
}
