package io.holdfast.etcd.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.holdfast.etcd.EtcdLockProvider;
import io.holdfast.etcd.format.Keys;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import io.holdfast.tck.adapter.DataLossRules;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.tck.report.Adapter;
import io.holdfast.tck.server.StoreServer;
import io.holdfast.testing.etcd.EtcdServer;
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
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A cluster that is replaced by an empty one, and keys that are deleted by hand. */
@Adapter("etcd")
@Tag("server")
@Execution(ExecutionMode.CONCURRENT)
public class EtcdLossTest implements DataLossRules {

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

  @Override
  public StoreServer server() {
    return server;
  }

  @Override
  public LockBackend backend() {
    return backend;
  }

  @Override
  public LockBackend connect() {
    return new EtcdLockProvider()
        .connect("etcd://" + server.address(), BackendOptions.DEFAULTS, StoreFixture.soon());
  }

  @Override
  public void deleteEverything() throws Exception {
    delete("holdfast:");
  }

  @Override
  public void deleteNamespace() throws Exception {
    delete("holdfast:namespace");
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

  /** For example, a key that was written by hand: without a lease it would stay forever. */
  @Test
  void aSessionsKeyThatIsNotOnItsLeaseIsNoSession() throws Exception {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
    KeyValue key = all().get(1);
    assertThat(key.getKey().toString()).contains(client.session().toString());

    write(key, 0);

    assertThat(client.renew()).isEqualTo(new Renewed.Over());
    assertThat(client.grab(client.waitingRequest(LOCK))).isEqualTo(new Attempt.SessionOver());
  }

  /** The same lease, the same keys, the same revisions: but a cluster that never had us. */
  @Test
  void aKeepAliveThatAnotherClusterAnswersIsALoss() throws Exception {
    SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
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

  /** For long, since nobody renews it. jetcd leaves the choice of the id to the server. */
  private void grantLease(long id) throws Exception {
    HttpResponse<String> answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://" + server.address() + "/v3/lease/grant"))
                    .POST(BodyPublishers.ofString("{\"ID\": %d, \"TTL\": 600}".formatted(id)))
                    .build(),
                BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
  }

  private Client client() {
    return Client.builder().endpoints("http://" + server.address()).build();
  }
}
