package io.holdfast.jdbc.mariadb.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.jdbc.Backends;
import io.holdfast.jdbc.database.ServerSettings;
import io.holdfast.jdbc.database.TablePrefix;
import io.holdfast.jdbc.fixtures.RewritingSource;
import io.holdfast.jdbc.mariadb.MariaDialect;
import io.holdfast.jdbc.mariadb.MariaSchema;
import io.holdfast.jdbc.mariadb.MariaSource;
import io.holdfast.jdbc.mariadb.OnMaria;
import io.holdfast.jdbc.rules.QueueTextStressRules;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.LockBackend;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many clients of one MariaDB server at the same time. And statements that lack one of the
 * conditions on which everything depends are found out; the other databases have the same ones.
 */
class MariaStressTest extends OnMaria implements QueueTextStressRules {

  private static final int GRANTS_OF_MUTANT_MAX = 100_000;
  private static final Duration MAX_WAIT_WITH_MUTANT = Duration.ofSeconds(5);

  @Override
  public LockBackend backend() {
    return schema.backend();
  }

  @Override
  public Connection past() throws SQLException {
    return DriverManager.getConnection(schema.uri());
  }

  /** Those that only several thousand grants find out. */
  private static final String SELDOM = "JOINS_OLD_RUN|EXTENDS_OLD_RUN";

  /**
   * What is wrong with the statements, as text that stands in for other text, with as many
   * parameters.
   */
  private enum Mutant {
    JOINS_OLD_RUN(Play.RESTORED, "AND given_in = ", "AND '' <> "),
    EXTENDS_OLD_RUN(Play.RESTORED, "OR given_in <> ", "OR '' = "),
    JOINS_PAST_WRITER(Play.SHARED, "AND held = length(queue)", "AND 1 = 1"),
    JOINER_GETS_OWN_NUMBER(
        Play.SHARED,
        "number   = CASE WHEN queue = '' THEN",
        "number   = CASE WHEN queue = '' OR queue LIKE 's%' THEN"),
    WITHDRAWAL_LEAVES_READERS(Play.SHARED, "(substr(queue, 1, 1) = 'x'", "('x' = 'x'"),
    RUN_ENDS_WITH_EACH(Play.SHARED, "THEN held - instr(", "THEN 0 * instr("),
    HAND_OVER_KEEPS_NUMBER(
        Play.CROWDED,
        "CASE answer WHEN 3 THEN greatest({now}, number + 1)",
        "CASE answer WHEN 3 THEN number"),
    DOWNGRADE_KEEPS_NUMBER(
        Play.SHARED, "number   = greatest({now}, number + 1), since", "number   = number, since");

    private final Play play;
    private final String right;
    private final String wrong;

    Mutant(Play play, String right, String wrong) {
      this.play = play;
      this.right = new MariaDialect().render(right, TablePrefix.USUAL);
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
    backend();
    RewritingSource rewriting =
        new RewritingSource(
            new MariaSource(schema.uri()), text -> text.replace(mutant.right, mutant.wrong));
    try (LockBackend backend =
            Backends.maria(
                schema.uri(),
                rewriting,
                ServerSettings.standard(),
                BackendOptions.DEFAULTS,
                MariaSchema.soon());
        Connection past = past()) {
      Optional<String> found =
          mutant.play.on(() -> backend, past, GRANTS_OF_MUTANT_MAX, MAX_WAIT_WITH_MUTANT).found();

      assertThat(rewriting.changed()).as("statements that %s changes", mutant).isPositive();
      assertThat(found).as("what comes of %s", mutant).isPresent();
    }
  }
}
