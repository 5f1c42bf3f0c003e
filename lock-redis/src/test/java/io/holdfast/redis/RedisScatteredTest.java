package io.holdfast.redis;

import static io.holdfast.redis.RedisNamespace.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import io.holdfast.redis.connection.OwnClient;
import io.holdfast.redis.connection.RedisClient;
import io.holdfast.redis.connection.RedisUri;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Ended;
import io.holdfast.spi.answer.Renewed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.JedisPooled;

/**
 * Whoever looks for another client's session asks all partitions, also while some cannot be
 * reached.
 */
class RedisScatteredTest extends RedisServerTestBase {

  private static final int PARTITIONS = 8;
  private static final byte[] CHANNEL = {'c'};

  private RemainingPartitions redis;
  private Sessions others;
  private Sessions mine;

  @BeforeEach
  void connect() {
    redis = new RemainingPartitions(new OwnClient(RedisUri.of(namespace.uri()), RestartGuard.OFF));
    others = sessions();
    SessionId unused = opened(0); // Now it is agreed how many partitions there are.
    mine = sessions();
  }

  @AfterEach
  void disconnect() {
    redis.close();
  }

  private Sessions sessions() {
    return new Sessions(scattered(), CHANNEL);
  }

  private Namespace scattered() {
    NamespaceWish wish =
        new NamespaceWish(OptionalInt.of(PARTITIONS), Optional.empty(), Optional.empty());
    return new Namespace(redis, RedisSettings.standard(), wish, soon());
  }

  private SessionId opened(int partition) {
    SessionId id = SessionId.fresh();
    others.open(
        new SessionSpec(
            id, NamespaceSettings.MAX_TTL_DEFAULT, partition, new ProcessIdentity("host:1")),
        soon());
    return id;
  }

  private void lapse(SessionId session, int partition) {
    try (JedisPooled jedis = new JedisPooled("127.0.0.1", server.port())) {
      String key =
          namespace.key("session:" + session.value()).replace(":0}", ":" + partition + "}");
      assertThat(jedis.hset(key, "renewed", "1")).as("fields that are new").isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7})
  void aDeadSessionIsEndedWhereItIs(int unreachable) {
    SessionId dead = opened(3);
    lapse(dead, 3);
    redis.unreachable = Set.of(unreachable);

    assertThat(mine.endLapsed(dead, soon())).isEqualTo(Ended.OVER);

    assertThat(others.renew(dead, soon())).isEqualTo(new Renewed.Over());
  }

  @Test
  void aLiveSessionIsFoundWhereItIs() {
    SessionId lives = opened(3);
    redis.unreachable = Set.of(0, 1, 2);

    assertThat(mine.endLapsed(lives, soon())).isEqualTo(Ended.ALIVE);
    assertThat(mine.renew(lives, soon())).isInstanceOf(Renewed.Alive.class);
  }

  /** The first partition has what all have agreed on. */
  @Test
  void aSessionIsResumedWhereItIs() {
    SessionId lives = opened(3);
    redis.unreachable = Set.of(1, 2);

    assertThat(mine.resume(lives, soon())).isPresent();
  }

  /** It may be where nobody can look. */
  @Test
  void aSessionThatIsNowhereElseIsNotOver() {
    SessionId lives = opened(3);
    redis.unreachable = Set.of(3);

    assertThatThrownBy(() -> mine.endLapsed(lives, soon())).hasMessage("3 (test)");
    assertThatThrownBy(() -> mine.renew(lives, soon())).hasMessage("3 (test)");

    redis.unreachable = Set.of();
    assertThat(mine.endLapsed(SessionId.fresh(), soon())).isEqualTo(Ended.OVER);
  }

  @Test
  void noPartitionUsesUpTheTimeOfTheOthers() {
    SessionId lives = opened(7);
    redis.unreachable = Set.of(0, 1);
    Duration time = Duration.ofSeconds(80);

    mine.endLapsed(lives, Deadline.in(time));

    assertThat(redis.given).hasSize(2).allMatch(given -> given.compareTo(time.dividedBy(4)) < 0);
  }

  /**
   * As when a master of a cluster is down: what the others have kept too long goes all the same.
   */
  @Test
  void aPartitionThatCannotBeReachedKeepsNoOtherFromBeingSwept() {
    redis.unreachable = Set.of(2);
    Sweep sweep = new Sweep(scattered(), Duration.ofDays(1));

    assertThatThrownBy(() -> sweep.sweep(soon())).hasMessage("2 (test)");
    sweep.sweep(soon());

    assertThat(redis.swept).containsExactlyInAnyOrder(0, 1, 3, 4, 5, 6, 7);
  }

  /** A client that does not reach some of the partitions. */
  private static final class RemainingPartitions implements RedisClient {

    private final RedisClient target;
    private final List<Duration> given = new ArrayList<>();
    private final List<Integer> swept = new ArrayList<>();
    private Set<Integer> unreachable = Set.of();

    RemainingPartitions(RedisClient target) {
      this.target = target;
    }

    @Override
    public String describe() {
      return target.describe();
    }

    @Override
    public @Nullable Object run(
        Script script, CallKind kind, int partition, List<byte[]> arguments, Deadline deadline) {
      if (unreachable.contains(partition)) {
        given.add(deadline.remaining());
        throw new BackendFailure(Effect.UNKNOWN, partition + " (test)", null);
      }
      if (script == Script.SWEEP) {
        swept.add(partition);
      }
      return target.run(script, kind, partition, arguments, deadline);
    }

    @Override
    public boolean isSpread() {
      return target.isSpread();
    }

    @Override
    public void leave(int partition) {
      target.leave(partition);
    }

    @Override
    public Subscription subscription(BinaryJedisPubSub reader, byte[] channel) {
      return target.subscription(reader, channel);
    }

    @Override
    public void close() {
      target.close();
    }
  }
}
