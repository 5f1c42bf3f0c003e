package io.holdfast.etcd;

import static io.holdfast.tck.fixture.StoreFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.options.GetOption;
import io.etcd.jetcd.options.PutOption;
import io.holdfast.SessionId;
import io.holdfast.error.BackendUnusableException;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.StoredNamespace;
import io.holdfast.record.Retirement;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.fixture.SpiClient;
import io.holdfast.tck.fixture.StepAction;
import io.holdfast.tck.fixture.StoreFixture;
import io.holdfast.testing.etcd.EtcdServer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A retirement may be interrupted between any two steps: nothing is lost, and nobody comes in. */
@Tag("server")
class EtcdRetirementStepsTest {

  /** The namespace and the sessions were looked at; nothing was written yet. */
  private static final int FIRST_WRITE = 3;

  private static EtcdServer server;
  private static Client client;

  @BeforeAll
  static void startServer() {
    server = EtcdServer.launch();
    client = Client.builder().endpoints("http://" + server.address()).build();
  }

  @AfterAll
  static void stopServer() {
    client.close();
    server.close();
  }

  /** The keys of a former version under a prefix of their own, and the base of their numbers. */
  private record Former(int version, String prefix, Keys keys, long clockMicros) {

    static Former write(int version) {
      String prefix = "former/" + UUID.randomUUID();
      Keys keys = new Keys(prefix);
      try (LockBackend backend = EtcdLocks.on(client, prefix).connect(options(), soon())) {
        SpiClient.open(backend, LONG).closeSession();
      }
      StoredNamespace namespace = namespace(keys);
      done(client.getKVClient().put(keys.namespace(), namespace.encodeAs(version)));
      return new Former(version, prefix, keys, namespace.clockMicros());
    }

    Retirement retire(Runnable beforeStep) {
      String uri = "etcd://" + server.address() + "/" + prefix;
      return EtcdLockProvider.retire(uri, beforeStep, soon());
    }

    /** Returns whether the client died. */
    boolean dies(Runnable beforeStep) {
      try {
        Retirement unused = retire(beforeStep);
        return false;
      } catch (RuntimeException died) {
        assertThat(died).hasStackTraceContaining(StepAction.ClientDied.class.getName());
        return true;
      }
    }

    void open() {
      try (LockBackend backend = EtcdLocks.on(client, prefix).connect(options(), soon())) {
        SpiClient.open(backend, LONG).closeSession();
      }
    }

    /** Returns the lease of a session that was opened as the former version did. */
    long openAsFormer() {
      long lease = done(client.getLeaseClient().grant(LONG.toSeconds())).getID();
      ByteSequence value = ByteSequence.from("30 former:1", StandardCharsets.UTF_8);
      PutOption option = PutOption.builder().withLeaseId(lease).build();
      done(client.getKVClient().put(keys.session(SessionId.fresh()), value, option));
      return lease;
    }

    /** What is left after a retirement, with the numbers going on. */
    void requireRetired() {
      open();
      assertThat(names()).containsExactly("namespace");
      assertThat(namespace(keys).settings().protocol()).isEqualTo(StoredNamespace.PROTOCOL);
      assertThat(namespace(keys).settings().maxTtl()).isEqualTo(LONG.multipliedBy(2));
      assertThat(namespace(keys).clockMicros()).isEqualTo(clockMicros);
    }

    List<String> names() {
      ByteSequence from = ByteSequence.from(prefix + ":", StandardCharsets.UTF_8);
      GetOption all = GetOption.builder().isPrefix(true).build();
      return done(client.getKVClient().get(from, all)).getKvs().stream()
          .map(KeyValue::getKey)
          .map(key -> key.toString(StandardCharsets.UTF_8).substring(prefix.length() + 1))
          .toList();
    }
  }

  private static Deadline soon() {
    return StoreFixture.soon();
  }

  private static BackendOptions options() {
    return StoreFixture.options(LONG.multipliedBy(2));
  }

  private static StoredNamespace namespace(Keys keys) {
    return StoredNamespace.of(
        done(client.getKVClient().get(keys.namespace())).getKvs().get(0), "the test's server");
  }

  private static <T> T done(CompletableFuture<T> answer) {
    try {
      return answer.get(30, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Runnable dyingAt(int step) {
    StepAction at = new StepAction();
    at.arm(
        step,
        () -> {
          throw new StepAction.ClientDied();
        });
    return at;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whoRetiresMayDieAndAnotherGoesOn(int version) {
    boolean died = true;
    for (int step = 1; died; step++) {
      Former former = Former.write(version);
      died = former.dies(dyingAt(step));
      if (died) {
        assertThatThrownBy(former::open)
            .as("what a client is told before step %d", step)
            .isInstanceOf(BackendUnusableException.class)
            .hasMessageContaining("holdfast retire");
        assertThat(former.retire(() -> {}))
            .as("after an interruption before step %d", step)
            .isEqualTo(new Retirement.Retired(version));
      } else {
        assertThat(step).isGreaterThan(FIRST_WRITE);
      }
      former.requireRetired();
    }
  }

  /** A session that comes meanwhile stops it: then the keys are the former version's again. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void whoStopsRetiringMayDieAndAnotherGoesOn(int version) {
    boolean died = true;
    for (int step = FIRST_WRITE + 1; died; step++) {
      Former former = Former.write(version);
      AtomicInteger steps = new AtomicInteger();
      Runnable dying = dyingAt(step);
      long[] lease = new long[1];
      died =
          former.dies(
              () -> {
                if (steps.incrementAndGet() == FIRST_WRITE) {
                  lease[0] = former.openAsFormer();
                }
                dying.run();
              });

      assertThat(former.retire(() -> {})).isInstanceOf(Retirement.InUse.class);
      assertThat(former.names()).hasSize(2).contains("namespace");
      assertThat(namespace(former.keys()).settings().protocol()).isEqualTo(version);
      done(client.getLeaseClient().revoke(lease[0]));
      assertThat(former.retire(() -> {})).isEqualTo(new Retirement.Retired(version));
      former.requireRetired();
    }
  }

  /**
   * A client of the former version knows nothing of retirements, and makes what it finds absent.
   */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aNamespaceThatAFormerClientMakesMeanwhileIsRetiredLikeAnother(int version) {
    Former former = Former.write(version);
    ByteSequence value = namespace(former.keys()).encodeAs(version);
    assertThat(former.dies(dyingAt(FIRST_WRITE + 1))).isTrue();
    assertThat(former.names()).containsExactly("retiring");
    done(client.getKVClient().put(former.keys().namespace(), value));

    assertThat(former.retire(() -> {})).isEqualTo(new Retirement.Retired(version));
    former.requireRetired();
  }

  /** As one has that a later version of the library was retiring. */
  @Test
  void anotherVersionsRetirementIsNotFinished() {
    Former former = Former.write(-StoredNamespace.PROTOCOL);

    assertThatThrownBy(() -> former.retire(() -> {})).isInstanceOf(BackendUnusableException.class);
    assertThat(namespace(former.keys()).settings().protocol()).isEqualTo(-StoredNamespace.PROTOCOL);
  }
}
