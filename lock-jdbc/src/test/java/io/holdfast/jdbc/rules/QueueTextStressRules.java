package io.holdfast.jdbc.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LockName;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.stress.GrantJudge;
import io.holdfast.tck.stress.Staying;
import io.holdfast.tck.stress.StressRun;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Many clients join, release, share, give up and die at the same time, where a queue is a text in
 * its lock's row.
 */
public interface QueueTextStressRules {

  int CLIENTS = 8;
  int GRANTS = 200;
  int GRANTS_OF_SOAK = 20_000;
  Duration MAX_WAIT = Duration.ofSeconds(60);

  /** What holds: one exclusive entry, or any number of shared ones. */
  Pattern HOLDERS = Pattern.compile("(x[!~][^;]*;|(s[!~][^;]*;)+)?");

  /** Returns a backend of its own for a client; the test closes it. */
  LockBackend backend();

  /** Connects past the library. */
  Connection past() throws SQLException;

  /** What is played. */
  enum Play {
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

    /** Plays until there were so many grants, or something is wrong. */
    public GrantJudge on(
        Supplier<LockBackend> backends, Connection past, long grants, Duration maxWait)
        throws Exception {
      List<String> locks = List.of(names.split(" ", -1));
      List<Consumer<GrantJudge>> disturbances =
          isRestored
              ? List.of(judge -> locks.forEach(name -> becomeOld(past, new LockName(name), judge)))
              : List.of();
      return new StressRun(CLIENTS, locks, shared, staying, grants, maxWait)
          .on(backends, disturbances);
    }

    /** As if the data were those of a server that may have lost the last grants. */
    private static void becomeOld(Connection past, LockName name, GrantJudge judge) {
      judge.closing(name);
      try {
        judge.closed(name, becomeOld(past, name));
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    private static OptionalLong becomeOld(Connection past, LockName name) throws SQLException {
      try (PreparedStatement query =
              past.prepareStatement(
                  "SELECT number FROM holdfast_locks WHERE name = ? AND queue LIKE 's%'");
          PreparedStatement update =
              past.prepareStatement(
                  "UPDATE holdfast_locks SET given_in = 'former' WHERE name = ? AND number = ? AND queue LIKE 's%'")) {
        query.setBytes(1, name.bytes());
        long number;
        try (ResultSet run = query.executeQuery()) {
          if (!run.next()) {
            return OptionalLong.empty();
          }
          number = run.getLong(1);
        }
        update.setBytes(1, name.bytes());
        update.setLong(2, number);
        return update.executeUpdate() > 0 ? OptionalLong.of(number) : OptionalLong.empty();
      }
    }
  }

  /** What the kit plays, too, is played here for long, and with statements that lack something. */
  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"CROWDED", "SPARSE"})
  default void nobodyIsLostOrStrandedAndAllWhoHoldMayHoldTogether(Play play) throws Exception {
    requireSound(play, GRANTS);
  }

  @ParameterizedTest
  @EnumSource
  @Tag("soak")
  default void norAfterManyGrants(Play play) throws Exception {
    requireSound(play, GRANTS_OF_SOAK);
  }

  private void requireSound(Play play, int grants) throws Exception {
    backend(); // Its tables are there from now on.
    try (Connection past = past()) {
      GrantJudge judge = play.on(this::backend, past, grants, MAX_WAIT);

      assertThat(judge.found()).isEmpty();
      assertThat(judge.grants()).isGreaterThanOrEqualTo(grants);
      try (Statement statement = past.createStatement();
          ResultSet locks = statement.executeQuery("SELECT held, queue FROM holdfast_locks")) {
        while (locks.next()) {
          String queue = locks.getString("queue");
          assertThat(queue.substring(0, locks.getInt("held"))).matches(HOLDERS);
          assertThat(locks.getInt("held") == 0).isEqualTo(queue.isEmpty());
        }
      }
    }
  }
}
