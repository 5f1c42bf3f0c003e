package io.holdfast.etcd.queue;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.options.PutOption;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Payload;
import io.holdfast.etcd.EtcdLockProvider;
import io.holdfast.etcd.EtcdLocks;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Seat;
import io.holdfast.etcd.format.StoredRequest;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.etcd.EtcdServer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Answers that are larger than what a client takes in one message, which is 4 MiB by default. */
@Tag("server")
class EtcdAnswerSizeTest {

  private static final int LOCKS = 40;
  private static final int WAITERS = 2;

  /** More than one lock needs, and less than forty. */
  private static final int SMALL = 64 * 1024;

  private static final Payload FULL = Payload.of(new byte[Payload.BYTES_MAX]);

  private static EtcdServer server;

  private final String prefix = "size/" + UUID.randomUUID();

  @BeforeAll
  static void startServer() {
    server = EtcdServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  private LockBackend connect() {
    return new EtcdLockProvider()
        .connect(
            "etcd://%s/%s".formatted(server.address(), prefix),
            BackendOptions.DEFAULTS,
            StoreFixture.soon());
  }

  private static Client jetcd(int answerMax) {
    return Client.builder()
        .endpoints("http://" + server.address())
        .maxInboundMessageSize(answerMax)
        .build();
  }

  private static List<LockName> names() {
    return IntStream.range(0, LOCKS).mapToObj(i -> new LockName("lock-%03d".formatted(i))).toList();
  }

  private static Request full(SpiClient client, LockName name) {
    return client.request(name, Request.IfHeld.QUEUE, "", FULL);
  }

  @Test
  void locksWithManyPayloadsAreListed() {
    try (LockBackend backend = connect();
        Client jetcd = jetcd(SMALL);
        LockBackend small =
            EtcdLocks.on(jetcd, prefix).connect(BackendOptions.DEFAULTS, StoreFixture.soon())) {
      SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
      for (LockName name : names()) {
        client.hold(full(client, name));
        for (int i = 0; i < WAITERS; i++) {
          assertThat(client.grab(full(client, name))).isEqualTo(new Attempt.Queued());
        }
        client.keepAlive();
      }

      assertThat(small.list("", Optional.empty(), 100, StoreFixture.soon()))
          .allSatisfy(lock -> assertThat(lock.waiters()).hasSize(WAITERS))
          .extracting(lock -> lock.name())
          .isEqualTo(names());
    }
  }

  @Test
  void requestsInManyQueuesAreLookedAt() {
    try (LockBackend backend = connect();
        Client jetcd = jetcd(SMALL);
        LockBackend small =
            EtcdLocks.on(jetcd, prefix).connect(BackendOptions.DEFAULTS, StoreFixture.soon())) {
      SpiClient holder = SpiClient.open(backend, StoreFixture.LONG);
      SpiClient waiter = SpiClient.open(backend, StoreFixture.LONG);
      List<RequestKey> requests = new ArrayList<>();
      for (LockName name : names()) {
        holder.hold(full(holder, name));
        requests.add(waiter.queue(name).key());
        holder.keepAlive();
        waiter.keepAlive();
      }

      // Another client remembers no place, so it reads each queue.
      assertThat(waiter.on(small).look(requests))
          .hasSize(LOCKS)
          .allMatch(standing -> standing instanceof Standing.Waiting waits && waits.ahead() == 1);
    }
  }

  /** One queue is one answer, so a client of ours takes a large one. */
  @Test
  void aQueueOfMoreThanFourMebibytesIsInspected() throws Exception {
    int more = 1_100;
    LockName name = new LockName("long");
    try (LockBackend backend = connect();
        Client jetcd = jetcd(SMALL)) {
      SpiClient client = SpiClient.open(backend, StoreFixture.LONG);
      Request held = full(client, name);
      client.hold(held);
      join(jetcd.getKVClient(), held, more);

      assertThat(client.inspect(name).orElseThrow().waiters()).hasSize(more);
    }
  }

  /** Puts requests like one into its queue: one after the other they would take long. */
  private void join(KV kv, Request like, int count) throws Exception {
    Keys keys = new Keys(prefix);
    ByteSequence held = keys.request(Seat.ofSession(like.key(), LockMode.EXCLUSIVE));
    long lease = kv.get(held).get(60, SECONDS).getKvs().get(0).getLease();
    PutOption sameLease = PutOption.builder().withLeaseId(lease).build();
    List<CompletableFuture<?>> puts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Request other = like.with(new RequestId(like.id().session(), 1_000_000 + i));
      ByteSequence key = keys.request(Seat.own(other.key(), LockMode.EXCLUSIVE));
      puts.add(kv.put(key, StoredRequest.encode(other, Instant.EPOCH), sameLease));
    }
    for (CompletableFuture<?> put : puts) {
      Object unused = put.get(60, SECONDS);
    }
  }
}
