package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.options.DeleteOption;
import io.holdfast.LockName;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Renewed;
import io.holdfast.tck.rules.Bench;
import io.holdfast.tck.rules.Held;
import io.holdfast.tck.rules.SpiClient;
import io.holdfast.tck.server.EtcdServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A cluster that is made anew, and keys that are deleted by hand. */
@Tag("server")
class EtcdLossTest {

  private static final LockName LOCK = new LockName("a");

  private EtcdServer server;
  private LockBackend backend;

  @BeforeEach
  void start() {
    server = EtcdServer.launch();
    backend = connect();
  }

  @AfterEach
  void stop() {
    backend.close();
    server.close();
  }

  private LockBackend connect() {
    return new EtcdLockProvider()
        .connect("etcd://" + server.address(), BackendOptions.DEFAULTS, Bench.soon());
  }

  private void delete(String prefix) throws Exception {
    try (Client client = Client.builder().endpoints("http://" + server.address()).build()) {
      client
          .getKVClient()
          .delete(
              ByteSequence.from(prefix, StandardCharsets.UTF_8),
              DeleteOption.builder().isPrefix(true).build())
          .get(20, TimeUnit.SECONDS);
    }
  }

  /** Its revisions begin at 1 again, and the sessions of before are not those of now. */
  @Test
  void aClusterMadeAnewGivesGreaterTokensAndKnowsNobody() {
    SpiClient before = SpiClient.open(backend, Bench.LONG);
    for (int i = 0; i < 100; i++) {
      before.release(before.hold(LOCK));
    }
    Held held = before.hold(LOCK);

    server.restartEmpty();

    try (LockBackend after = connect()) {
      assertThat(before.on(after).renew()).isEqualTo(new Renewed.Over());
      assertThat(before.on(after).grab(before.patient(LOCK))).isEqualTo(new Attempt.SessionOver());
      assertThat(SpiClient.open(after, Bench.LONG).hold(LOCK).number())
          .isGreaterThan(held.number());
    }
  }

  @Test
  void aClientThatWasConnectedGoesOnInAClusterMadeAnew() {
    SpiClient before = SpiClient.open(backend, Bench.LONG);
    Held held = before.hold(LOCK);
    server.restartEmpty();
    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreExceptions()
        .until(() -> before.renew() instanceof Renewed.Over);

    SpiClient after = SpiClient.open(backend, Bench.LONG);

    assertThat(after.hold(LOCK).number()).isGreaterThan(held.number());
  }

  @Test
  void deletedKeysEndEverySessionAndLowerNoToken() throws Exception {
    SpiClient before = SpiClient.open(backend, Bench.LONG);
    Held held = before.hold(LOCK);

    delete("holdfast:");

    assertThat(before.renew()).isEqualTo(new Renewed.Over());
    SpiClient after = SpiClient.open(backend, Bench.LONG);
    assertThat(after.hold(LOCK).number()).isGreaterThan(held.number());
  }

  /** Only the base is gone: what goes on without it must not mix up two. */
  @Test
  void aDeletedNamespaceIsMadeAnewWithAGreaterBase() throws Exception {
    SpiClient before = SpiClient.open(backend, Bench.LONG);
    Held held = before.hold(LOCK);
    before.release(held);

    delete("holdfast:namespace");

    assertThat(before.grab(before.patient(LOCK))).isEqualTo(new Attempt.SessionOver());
    SpiClient after = SpiClient.open(backend, Bench.LONG);
    assertThat(after.hold(LOCK).number()).isGreaterThan(held.number());
  }
}
