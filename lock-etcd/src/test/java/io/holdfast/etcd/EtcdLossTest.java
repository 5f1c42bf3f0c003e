package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.holdfast.LockName;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Renewed;
import io.holdfast.tck.rules.Bench;
import io.holdfast.tck.rules.Held;
import io.holdfast.tck.rules.SpiClient;
import io.holdfast.tck.server.EtcdServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
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
    try (Client client = client()) {
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

  /** Such as one that somebody wrote by hand: without its lease it would stay for ever. */
  @Test
  void aSessionsKeyThatIsNotOnItsLeaseIsNoSession() throws Exception {
    SpiClient client = SpiClient.open(backend, Bench.LONG);
    KeyValue key = all().get(1);
    assertThat(key.getKey().toString()).contains(client.session().toString());

    write(key, 0);

    assertThat(client.renew()).isEqualTo(new Renewed.Over());
    assertThat(client.grab(client.patient(LOCK))).isEqualTo(new Attempt.SessionOver());
  }

  /** The same lease, the same keys, the same revisions: but a cluster that never had us. */
  @Test
  void aKeepAliveThatAnotherClusterAnswersIsALoss() throws Exception {
    SpiClient client = SpiClient.open(backend, Bench.LONG);
    List<KeyValue> before = all();
    server.restartEmpty();
    grantLease(before.get(1).getLease());
    for (KeyValue key : before) {
      write(key, key.getLease());
    }
    assertThat(all()).extracting(KeyValue::getCreateRevision).containsExactly(2L, 3L);

    await()
        .atMost(Duration.ofSeconds(60))
        .ignoreException(BackendFailure.class)
        .untilAsserted(() -> assertThat(client.renew()).isEqualTo(new Renewed.Over()));
    assertThat(all()).hasSize(2);
  }

  /** Returns all keys in the order in which they were made. */
  private List<KeyValue> all() throws Exception {
    try (Client client = client()) {
      return client
          .getKVClient()
          .get(
              Keys.bytes("holdfast:"),
              GetOption.builder()
                  .isPrefix(true)
                  .withSortField(GetOption.SortTarget.CREATE)
                  .withSortOrder(GetOption.SortOrder.ASCEND)
                  .build())
          .get(20, TimeUnit.SECONDS)
          .getKvs();
    }
  }

  private void write(KeyValue key, long lease) throws Exception {
    try (Client client = client()) {
      client
          .getKVClient()
          .put(key.getKey(), key.getValue(), PutOption.builder().withLeaseId(lease).build())
          .get(20, TimeUnit.SECONDS);
    }
  }

  /** jetcd leaves the choice of the id to the server. */
  private void grantLease(long id) throws Exception {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://" + server.address() + "/v3/lease/grant"))
                    .POST(BodyPublishers.ofString("{\"ID\": %d, \"TTL\": 30}".formatted(id)))
                    .build(),
                BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  private Client client() {
    return Client.builder().endpoints("http://" + server.address()).build();
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
