package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.PutOption;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.LockLostException;
import io.holdfast.RevokeWhen;
import io.holdfast.tck.server.EtcdServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
class EtcdFencingTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final ByteSequence KEY =
      ByteSequence.from("application/key", StandardCharsets.UTF_8);

  private static EtcdServer server;
  private static Client client;

  @BeforeAll
  static void start() {
    server = EtcdServer.launch();
    client = Client.builder().endpoints("http://" + server.address()).build();
  }

  @AfterAll
  static void stop() {
    client.close();
    server.close();
  }

  private static boolean write(Cmp held, String value) throws Exception {
    return client
        .getKVClient()
        .txn()
        .If(held)
        .Then(Op.put(KEY, ByteSequence.from(value, StandardCharsets.UTF_8), PutOption.DEFAULT))
        .commit()
        .get(PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .isSucceeded();
  }

  private static Cmp compare(Grant grant) {
    return new EtcdFencing(client).isHeld(grant.name(), grant.token(), PATIENCE);
  }

  @Test
  void aHolderWritesUntilItHasGivenBack() throws Exception {
    try (LockClient locks = Holdfast.builder().connect(EtcdLocks.on(client))) {
      Grant grant = locks.lock("given back").acquire();
      Cmp held = compare(grant);

      assertThat(write(held, "one")).isTrue();
      assertThat(write(held, "two")).isTrue();
      grant.release();
      assertThat(write(held, "three")).isFalse();
    }
  }

  @Test
  void aHolderThatWasOvertakenWritesNothingAlthoughItBelieves() throws Exception {
    try (LockClient locks = Holdfast.builder().connect(EtcdLocks.on(client));
        LockClient others = Holdfast.builder().connect(EtcdLocks.on(client))) {
      // given
      Grant grant = locks.lock("overtaken").acquire();
      Cmp held = compare(grant);

      // when
      others.revoke(others.find("overtaken").orElseThrow(), RevokeWhen.NOW);
      Grant next = others.lock("overtaken").acquire();

      // then
      assertThat(write(held, "stale")).isFalse();
      assertThat(write(compare(next), "fresh")).isTrue();
      assertThatThrownBy(() -> compare(grant)).isInstanceOf(LockLostException.class);
    }
  }

  /** The application's client is its own: it goes on when ours are closed. */
  @Test
  void aClientOfTheApplicationIsNotClosed() throws Exception {
    Holdfast.builder().connect(EtcdLocks.on(client)).close();

    client.getKVClient().get(KEY).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
  }
}
