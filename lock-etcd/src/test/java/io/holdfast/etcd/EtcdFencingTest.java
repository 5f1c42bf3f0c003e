package io.holdfast.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.op.Cmp;
import io.etcd.jetcd.op.Op;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.PutOption;
import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.Sequencer;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.etcd.format.Keys;
import io.holdfast.record.LockRecord;
import io.holdfast.tck.adapter.FencedWriteRules;
import io.holdfast.tck.adapter.PausedWriterRules;
import io.holdfast.tck.mutants.FenceMutant;
import io.holdfast.tck.mutants.FenceMutants;
import io.holdfast.tck.process.client.FencedResource;
import io.holdfast.tck.report.Adapter;
import io.holdfast.testing.etcd.EtcdServer;
import io.holdfast.testing.kit.MutantCheck;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Adapter("etcd")
@Tag("server")
class EtcdFencingTest implements FencedWriteRules, PausedWriterRules {

  private static final Duration TIMEOUT = Duration.ofSeconds(30);
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

  @Override
  public LockClient connect() {
    return Holdfast.builder().connect(EtcdLocks.on(client));
  }

  @Override
  public Fenced fencedBy(Sequencer holder) {
    Cmp[] held = new EtcdFencing(client).isHeld(holder, TIMEOUT);
    return value ->
        client
            .getKVClient()
            .txn()
            .If(held)
            .Then(Op.put(KEY, ByteSequence.from(value, StandardCharsets.UTF_8), PutOption.DEFAULT))
            .commit()
            .get(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
            .isSucceeded();
  }

  @Override
  public Class<? extends FencedResource> resource() {
    return EtcdOrders.class;
  }

  @Override
  public String place() {
    return "http://" + server.address();
  }

  static List<FenceMutant> mutants() {
    return FenceMutants.all();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void aMutantIsRejected(FenceMutant mutant) {
    MutantCheck.requireRejected(mutant, this);
  }

  /** The application's client is its own: it goes on when ours are closed. */
  @Test
  void aClientOfTheApplicationIsNotClosed() throws Exception {
    connect().close();

    client.getKVClient().get(KEY).get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }

  /** The numbers of a namespace that is made anew have another base. */
  @Test
  void aNamespaceThatIsMadeAnewIsReadAnew() throws Exception {
    EtcdFencing fencing = new EtcdFencing(client, "anew");
    try (LockClient before = connect("anew");
        Grant held = before.lock("a").acquire(TIMEOUT)) {
      assertThat(isTrue(fencing.isHeld(held.sequencer(), TIMEOUT))).isTrue();
      done(
          client
              .getKVClient()
              .delete(Keys.bytes("anew:"), DeleteOption.builder().isPrefix(true).build()));
    }

    try (LockClient after = connect("anew");
        Grant held = after.lock("a").acquire(TIMEOUT)) {
      assertThat(isTrue(fencing.isHeld(held.sequencer(), TIMEOUT))).isTrue();
    }
  }

  /** What a notice writes to the request is no other holder's. */
  @Test
  void aNoticeLeavesTheComparesAsTheyAre() throws Exception {
    try (LockClient locks = connect();
        Grant grant = locks.lock("noticed before").acquire(TIMEOUT)) {
      Cmp[] held = new EtcdFencing(client).isHeld(grant.sequencer(), TIMEOUT);
      LockRecord seen = locks.find("noticed before").orElseThrow();
      locks.revokeIn(seen, seen.holders().get(0), Duration.ofHours(1));

      assertThat(isTrue(held)).isTrue();
    }
  }

  /** It lives as long as the mark of its session, which goes when it is given back. */
  @Test
  void aGrantWithALockDelayCountsUntilItIsGivenBack() throws Exception {
    try (LockClient locks = connect()) {
      for (Duration delay : List.of(Duration.ZERO, Duration.ofHours(1))) {
        AcquireOptions early =
            AcquireOptions.within(TIMEOUT).atLeast(Duration.ofHours(1)).lockDelay(delay);
        Grant grant = locks.lock("given back early " + delay).acquire(early);
        Cmp[] held = new EtcdFencing(client).isHeld(grant.sequencer(), TIMEOUT);
        assertThat(isTrue(held)).isTrue();

        grant.release();

        assertThat(isTrue(held)).as("with a lock-delay of %s", delay).isEqualTo(delay.isZero());
      }
    }
  }

  @Test
  void aClusterThatIsAwayIsToldAsEverywhereElse() {
    try (Client away = Client.builder().endpoints("http://127.0.0.1:1").build()) {
      EtcdFencing fencing = new EtcdFencing(away);
      assertThatThrownBy(
              () -> fencing.isHeld(Sequencer.parse("a:exclusive:1"), Duration.ofMillis(300)))
          .isInstanceOf(BackendUnreachableException.class);
    }
  }

  private static LockClient connect(String prefix) {
    return Holdfast.builder().connect(EtcdLocks.on(client, prefix));
  }

  private static boolean isTrue(Cmp[] compares) throws Exception {
    return done(client.getKVClient().txn().If(compares).commit()).isSucceeded();
  }

  private static <T> T done(CompletableFuture<T> future) throws Exception {
    return future.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }
}
