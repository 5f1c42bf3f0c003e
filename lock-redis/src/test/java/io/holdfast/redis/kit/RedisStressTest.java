package io.holdfast.redis.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.redis.RedisLocks;
import io.holdfast.redis.RedisNamespace;
import io.holdfast.redis.RedisServerTestBase;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.BackendOptions.RestartGuard;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.stress.GrantJudge;
import io.holdfast.tck.stress.Staying;
import io.holdfast.tck.stress.StressRun;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many clients join, release, share, give up and die at the same time. And scripts that lack one of
 * the conditions on which everything depends are found out.
 */
public class RedisStressTest extends RedisServerTestBase {

  private static final int CLIENTS = 8;
  private static final int GRANTS = 200;
  private static final int GRANTS_OF_SOAK = 20_000;
  private static final int GRANTS_OF_MUTANT_MAX = 100_000;
  private static final Duration MAX_WAIT = Duration.ofSeconds(60);
  private static final Duration MAX_WAIT_WITH_MUTANT = Duration.ofSeconds(5);

  /**
   * All clients at one lock, or two clients a lock: its queue is empty one moment and not the next.
   */
  private enum Play {
    CROWDED("a", 0, false),
    SPARSE("a b c d", 0, false),
    SHARED_CROWDED("a", 0.7, false),
    SHARED_SPARSE("a b c d", 0.7, false),

    /** Some of what is given back, or died with, stays taken for a while. */
    STAYING("a b c d", 0.6, false),

    /** Runs are found to be of an earlier life now and then. */
    RESTORED("a b", 0.7, true);

    private final String names;
    private final double shared;
    private final boolean isRestored;

    Play(String names, double shared, boolean isRestored) {
      this.names = names;
      this.shared = shared;
      this.isRestored = isRestored;
    }

    List<String> names() {
      return List.of(names.split(" ", -1));
    }
  }

  private GrantJudge play(LockBackend backend, Play play, long grants, Duration maxWait)
      throws Exception {
    List<Consumer<GrantJudge>> disturbances =
        play.isRestored
            ? List.of(judge -> play.names().forEach(name -> becomeOld(new LockName(name), judge)))
            : List.of();
    return new StressRun(
            CLIENTS,
            play.names(),
            play.shared,
            play == Play.STAYING ? Staying.LEAST_TIMES_AND_DELAYS : Staying.NOTHING,
            grants,
            maxWait)
        .on(backend, disturbances);
  }

  /** As if the data were those of a server that may have lost the last grants. */
  private void becomeOld(LockName name, GrantJudge judge) {
    judge.closing(name);
    String number =
        server.command(
            "EVAL",
            "local lock = redis.call('GET', KEYS[1])"
                + " if not lock or string.sub(lock, 66, 66) == 'x' then return '' end"
                + " redis.call('SETRANGE', KEYS[1], 49, '0000000000000001')"
                + " return string.sub(lock, 18, 33)",
            "1",
            namespace.key("lock:" + name));
    judge.closed(
        name, number.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(number)));
  }

  /** What the kit plays, too, is played here for long only. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"CROWDED", "SPARSE"})
  public void nobodyIsLostOrStrandedAndAllWhoHoldMayHoldTogether(Play play) throws Exception {
    requireSound(play, GRANTS);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("soak")
  public void norAfterManyGrants(Play play) throws Exception {
    requireSound(play, GRANTS_OF_SOAK);
  }

  private void requireSound(Play play, int grants) throws Exception {
    GrantJudge judge =
        play(
            namespace.backend(BackendOptions.DEFAULTS.with(RestartGuard.OFF)),
            play,
            grants,
            MAX_WAIT);

    assertThat(judge.found()).isEmpty();
    assertThat(judge.grants()).isGreaterThanOrEqualTo(grants);
    for (String lock : play.names()) {
      assertThat(server.command("HLEN", namespace.key("entries:" + lock)))
          .as("entries without a place in the queue of %s", lock)
          .isEqualTo(server.command("ZCARD", namespace.key("queue:" + lock)));
    }
  }

  private LockBackend backend(RewritingJedis jedis) {
    return RedisLocks.on(jedis, namespace.prefix())
        .connect(BackendOptions.DEFAULTS.with(RestartGuard.OFF), RedisNamespace.soon());
  }

  /** What is wrong with the scripts, as text that stands in for other text. */
  private enum Mutant {
    JOIN_PAST_WRITER(Play.SHARED_CROWDED, "local joins = waiters == 0 and ", "local joins = "),
    JOINER_GETS_OWN_NUMBER(
        Play.SHARED_CROWDED,
        "{'granted', text(lock.number), text(lock.since), '0'}",
        "{'granted', now_text, now_text, '0'}"),
    WRITER_LET_IN_WITH_READERS(
        Play.SHARED_CROWDED,
        "sub(call('HGET', lock.entries, request), 1, 1) == 'x'",
        "sub(call('HGET', lock.entries, request), 1, 1) == '?'"),
    FIRST_READER_ENDS_RUN(
        Play.SHARED_CROWDED,
        "and (not lock.has_queue or call('ZCOUNT', lock.queue, '-inf', text(lock.head)) == 0)",
        ""),
    WITHDRAWAL_LEAVES_READERS(Play.SHARED_CROWDED, "if let_in(lock) or held then", "if held then"),
    DOWNGRADE_KEEPS_NUMBER(
        Play.SHARED_CROWDED,
        "begin(lock, 's' .. sub(lock.entry, 2))",
        "lock.entry = 's' .. sub(lock.entry, 2)"),
    JOINS_OLD_RUN(Play.RESTORED, "is_shared(lock) and lock.life == life", "is_shared(lock)"),
    EXTENDS_OLD_RUN(Play.RESTORED, "while may_be_joined(lock) do", "while is_shared(lock) do"),
    READER_NAMES_ONLY_WRITERS(
        Play.RESTORED,
        "name_obstacle(answer, found[i], state, true)",
        "name_obstacle(answer, found[i], is_shared(lock) and 'LIVE' or state, true)");

    private final Play play;
    private final String right;
    private final String wrong;

    Mutant(Play play, String right, String wrong) {
      this.play = play;
      this.right = right;
      this.wrong = wrong;
    }
  }

  /** What was done to the scripts is found out, or they would not need it. */
  @ParameterizedTest
  @EnumSource
  public void aScriptThatLacksAConditionIsFoundOut(Mutant mutant) throws Exception {
    try (RewritingJedis jedis =
            new RewritingJedis(
                server.port(), 2 * CLIENTS, text -> text.replace(mutant.right, mutant.wrong));
        LockBackend backend = backend(jedis)) {
      Optional<String> found =
          play(backend, mutant.play, GRANTS_OF_MUTANT_MAX, MAX_WAIT_WITH_MUTANT).found();

      assertThat(jedis.changed()).as("scripts that %s changes", mutant).isPositive();
      assertThat(found).as("what comes of %s", mutant).isPresent();
    }
  }
}
