package io.holdfast.redis.session;

import static io.holdfast.redis.RedisNamespace.soon;
import static io.holdfast.redis.Requests.request;
import static io.holdfast.redis.Requests.session;
import static io.holdfast.redis.Requests.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.SessionId;
import io.holdfast.record.Retirement;
import io.holdfast.redis.RedisLockProvider;
import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Renewed;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Retiring several partitions, and what a server has lost. */
class RedisRetirementTest extends RedisServerTestBase {

  private static final int PARTITIONS = 3;

  private Retirement retire() {
    return new RedisLockProvider().retire(namespace.uri(), soon());
  }

  private String key(int partition, String name) {
    return "{%s:%d}:%s".formatted(namespace.prefix(), partition, name);
  }

  private List<String> protocols() {
    return IntStream.range(0, PARTITIONS)
        .mapToObj(each -> server.command("HGET", key(each, "namespace"), "protocol"))
        .toList();
  }

  private void makeOld(int partition) {
    server.command("HSET", key(partition, "namespace"), "protocol", "1");
  }

  private LockBackend partitioned() {
    NamespaceWish wish =
        new NamespaceWish(OptionalInt.of(PARTITIONS), Optional.empty(), Optional.empty());
    return namespace.backend(new BackendOptions(wish, RestartGuard.OFF));
  }

  @Test
  void aSessionInOnePartitionKeepsAllOfThem() {
    LockBackend backend = partitioned();
    for (int partition = 0; partition < PARTITIONS - 1; partition++) {
      backend.end(session(backend, partition), EndIf.CLOSED, soon());
    }
    SessionId last = session(backend, PARTITIONS - 1);
    IntStream.range(0, PARTITIONS).forEach(this::makeOld);
    server.command("SET", "{other:0}:session:x", "not ours");

    assertThat(((Retirement.InUse) retire()).sessions())
        .extracting(Retirement.LiveSession::session)
        .containsExactly(last);
    assertThat(protocols()).containsOnly("1");

    server.command("DEL", key(PARTITIONS - 1, "session:" + last));
    assertThat(retire()).isEqualTo(new Retirement.Retired(1));
    assertThat(protocols()).containsOnly(Integer.toString(Script.PROTOCOL));
    assertThat(server.command("GET", "{other:0}:session:x")).isEqualTo("not ours");
  }

  @Test
  void aRetirementThatWasInterruptedBetweenPartitionsIsTakenUp() {
    LockBackend backend = partitioned();
    for (int partition = 0; partition < PARTITIONS; partition++) {
      backend.end(session(backend, partition), EndIf.CLOSED, soon());
    }
    makeOld(1);

    assertThat(retire()).isEqualTo(new Retirement.Retired(1));
    assertThat(protocols()).containsOnly(Integer.toString(Script.PROTOCOL));
  }

  /** Version 1 wrote only the records of partitions that were used. */
  @Test
  void whatLiesInALaterPartitionAloneIsRetired() {
    LockBackend backend = partitioned();
    SessionId mine = session(backend, PARTITIONS - 1);
    server.command("DEL", namespace.key("namespace"));
    makeOld(PARTITIONS - 1);

    assertThat(((Retirement.InUse) retire()).sessions())
        .extracting(Retirement.LiveSession::session)
        .containsExactly(mine);

    server.command("DEL", key(PARTITIONS - 1, "session:" + mine));
    assertThat(retire()).isEqualTo(new Retirement.Retired(1));
    assertThat(server.command("HGET", key(PARTITIONS - 1, "namespace"), "protocol"))
        .isEqualTo(Integer.toString(Script.PROTOCOL));
  }

  /** Its sessions are over, and their holders are covered by the restart guard, which goes on. */
  @Test
  void afterALossTheRestartGuardOutlivesTheRetirement() {
    LockBackend backend = backend();
    SessionId before = session(backend);
    makeOld(0);
    server.command("HSET", namespace.key("namespace"), "incarnation", "lost", "guard", "0");
    server.command("HDEL", namespace.key("namespace"), "replid");

    assertThat(retire()).isEqualTo(new Retirement.Retired(1));

    LockBackend after = namespace.backend();
    assertThat(after.renew(before, soon())).isEqualTo(new Renewed.Over());
    assertThat(after.grab(request(session(after), "a", IfHeld.REFUSE), soon()))
        .isInstanceOf(Attempt.Delayed.class);
    LockBackend unguarded =
        namespace.backend(new BackendOptions(NamespaceWish.NONE, RestartGuard.OFF));
    take(unguarded, request(session(unguarded), "a", IfHeld.REFUSE));
  }
}
