package io.holdfast.etcd.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.holdfast.LockName;
import io.holdfast.etcd.AnswerInterceptor;
import io.holdfast.etcd.EtcdLocks;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.fixture.Held;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.etcd.EtcdServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A member that has not applied the grant of a lease yet, or leads no more, says that there is no
 * such lease.
 */
@Tag("server")
class EtcdKeepAliveTest {

  private static EtcdServer server;

  private volatile boolean knowsNoLease;
  private Client jetcd;
  private LockBackend backend;

  @BeforeAll
  static void startServer() {
    server = EtcdServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @BeforeEach
  void connect() {
    jetcd =
        Client.builder()
            .endpoints("http://" + server.address())
            .interceptor(new Ignorance())
            .build();
    backend = EtcdLocks.on(jetcd).connect(BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @AfterEach
  void close() {
    backend.close();
    jetcd.close();
  }

  @Test
  void aLeaseThatAMemberDoesNotKnowIsNotOverWhileTheSessionsKeyIsThere() {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    Held held = client.hold(new LockName("a"));
    knowsNoLease = true;

    assertThatThrownBy(client::renew)
        .isInstanceOf(BackendFailure.class)
        .hasMessageContaining("does not know the lease");

    knowsNoLease = false;
    client.renewed();
    assertThat(client.holding(held.request()).number()).isEqualTo(held.number());
  }

  @Test
  void aLeaseThatNobodyKnowsIsOverWhenTheSessionsKeyIsGone() {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    try (LockBackend other =
        EtcdLocks.on(jetcd).connect(BackendOptions.DEFAULTS, StoreFixture.soon())) {
      client.on(other).closeSession();
    }

    assertThat(client.renew()).isEqualTo(new Renewed.Over());
  }

  /** Changes answers to keep-alives. */
  private final class Ignorance extends AnswerInterceptor {
    @Override
    @SuppressWarnings("unchecked") // Of the same class.
    protected <A> A told(A answer) {
      return knowsNoLease && answer instanceof LeaseKeepAliveResponse alive
          ? (A) alive.toBuilder().setTTL(0).build()
          : answer;
    }
  }
}
