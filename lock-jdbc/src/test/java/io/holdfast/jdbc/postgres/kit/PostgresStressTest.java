package io.holdfast.jdbc.postgres.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.database.TablePrefix;
import io.holdfast.jdbc.fixtures.RewritingSource;
import io.holdfast.jdbc.postgres.OnPostgres;
import io.holdfast.jdbc.postgres.PostgresDialect;
import io.holdfast.jdbc.postgres.PostgresSchema;
import io.holdfast.jdbc.postgres.PostgresSource;
import io.holdfast.spi.BackendOptions;
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
 * Many clients join, release, share, give up and die at the same time. And statements that lack one
 * of the conditions on which everything depends are found out.
 */
class PostgresStressTest extends OnPostgres {

  private static final int CLIENTS = 8;
  private static final int GRANTS = 200;
  private static final int GRANTS_OF_SOAK = 20_000;
  private static final int GRANTS_OF_MUTANT_MAX = 100_000;

  private static final Duration MAX_WAIT = Duration.ofSeconds(60);
  private static final Duration MAX_WAIT_WITH_MUTANT = Duration.ofSeconds(5);

  /** What is played. */
  private enum Play {
    CROWDED("a", 0, Staying.NOTHING, false),

    /** Two clients a name: a queue is empty one moment and not the next. */
    SPARSE("a b c d", 0, Staying.NOTHING, false),

    SHARED("a b", 0.7, Staying.NOTHING, false),

    /** Some of what is given back, or died with, stays taken for a while. */
    STAYING("a b c d", 0.6, Staying.LEAST_TIMES_AND_DELAYS, false),

    /** Runs are found to be of an earlier incarnation now and then. */
    RESTORED("a b", 0.7, Staying.NOTHING, true);

    private final String names;

    /** How many of the requests are shared, of one. */
    private final double shared;

    private final Staying staying;
    private final boolean isRestored;

    Play(String names, double shared, Staying staying, boolean isRestored) {
      this.names = names;
      this.shared = shared;
      this.staying = staying;
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
    return new StressRun(CLIENTS, play.names(), play.shared, play.staying, grants, maxWait)
        .on(backend, disturbances);
  }

  /** As if the data were those of a server that may have lost the last grants. */
  private void becomeOld(LockName name, GrantJudge judge) {
    judge.closing(name);
    String number =
        schema.text(
            "UPDATE holdfast_locks SET given_in = 'former', version = version + 1 WHERE name = '%s' AND mode = 's' RETURNING number"
                .formatted(name));
    judge.closed(
        name, number.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(number)));
  }

  /** What the kit plays, too, is played here for long, and with statements that lack something. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"CROWDED", "SPARSE"})
  void nobodyIsLostOrStrandedAndAllWhoHoldMayHoldTogether(Play play) throws Exception {
    requireSound(play, GRANTS);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("soak")
  void norAfterManyGrants(Play play) throws Exception {
    requireSound(play, GRANTS_OF_SOAK);
  }

  private void requireSound(Play play, int grants) throws Exception {
    GrantJudge judge = play(schema.backend(), play, grants, MAX_WAIT);

    assertThat(judge.found()).isEmpty();
    assertThat(judge.grants()).isGreaterThanOrEqualTo(grants);
    assertThat(
            schema.text(
                "SELECT count(*) FROM holdfast_locks l WHERE l.run <> (SELECT count(*) FROM holdfast_queue q WHERE q.name = l.name AND q.pos <= l.head)"))
        .as("locks whose run has not as many entries as it should have")
        .isEqualTo("0");
  }

  /** Those that only several thousand grants find out, or a machine that is not busy. */
  private static final String SELDOM =
      "NO_VERSION|NO_VERSION_OF_A_RUN|NO_TAIL|WITHDRAWAL_LEAVES_READERS|DELAY_IGNORED|READER_NAMES_ONLY_WRITERS";

  /** What is wrong with the statements, as text that stands in for other text. */
  private enum Mutant {
    NO_VERSION(Play.SPARSE, "l.version = s.version", "1 = 1"),
    NO_VERSION_OF_A_RUN(Play.SHARED, "l.version = s.version", "1 = 1"),
    NO_TAIL(Play.SPARSE, "l.tail = s.tail", "1 = 1"),
    RUN_END_FROM_SNAPSHOT(Play.SHARED, "l.tail = s.tail", "1 = 1"),
    JOIN_PAST_WRITER(Play.SHARED, "AND l.head = l.tail AND l.given_in", "AND l.given_in"),
    JOINER_GETS_OWN_NUMBER(
        Play.SHARED,
        "SELECT l.number, l.since, l.given_in",
        "SELECT l.number + 1, l.since, l.given_in"),
    WITHDRAWAL_LEAVES_READERS(
        Play.SHARED, "OR s.mode = 's' AND s.given_in = n.life AS opened", "AS opened"),
    DOWNGRADE_KEEPS_NUMBER(
        Play.SHARED,
        "greatest({now}, l.number + 1), since = {now}, given_in",
        "l.number, given_in"),
    JOINS_OLD_RUN(Play.RESTORED, "AND l.given_in = excluded.given_in", ""),
    EXTENDS_OLD_RUN(Play.RESTORED, "AND s.given_in = n.life AS opened", "AS opened"),
    DELAY_IGNORED(Play.STAYING, "y.lock_delay = 0 AND y.stay IN", "y.stay IN"),
    ONLY_HEAD_NAMED(
        Play.SHARED, "WHERE l.run > 0 AND q.name = l.name AND q.pos <= l.head", "WHERE false"),
    READER_NAMES_ONLY_WRITERS(
        Play.RESTORED,
        ") h WHERE mine.pos > l.head",
        ") h WHERE mine.pos > l.head AND (SELECT q.mode FROM holdfast_queue q WHERE q.request = k.request) = 'x'");

    private final Play play;
    private final String right;
    private final String wrong;

    Mutant(Play play, String right, String wrong) {
      this.play = play;
      this.right = new PostgresDialect().render(right, TablePrefix.USUAL);
      this.wrong = wrong;
    }
  }

  /** What was done to the statements is found out, or they would not need it. */
  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = SELDOM)
  void aStatementThatLacksAConditionIsFoundOut(Mutant mutant) throws Exception {
    requireFound(mutant);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = SELDOM)
  @Tag("soak")
  void aStatementThatSeldomLacksItIsFoundOut(Mutant mutant) throws Exception {
    requireFound(mutant);
  }

  private void requireFound(Mutant mutant) throws Exception {
    RewritingSource rewriting =
        new RewritingSource(
            new PostgresSource(schema.uri()), text -> text.replace(mutant.right, mutant.wrong));
    try (LockBackend backend =
        Backends.postgres(
            schema.uri(),
            rewriting,
            ServerSettings.standard(),
            BackendOptions.DEFAULTS,
            PostgresSchema.soon())) {
      Optional<String> found =
          play(backend, mutant.play, GRANTS_OF_MUTANT_MAX, MAX_WAIT_WITH_MUTANT).found();

      assertThat(rewriting.changed()).as("statements that %s changes", mutant).isPositive();
      assertThat(found).as("what comes of %s", mutant).isPresent();
    }
  }
}
