package io.holdfast.jdbc.pools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.jdbc.connections.Database;
import io.holdfast.jdbc.connections.DatabaseConnection;
import io.holdfast.jdbc.connections.DeadlineTimer;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** When a connection is used again, and when it is asked for a sign of life before. */
class CallRunnerTest {

  private final AtomicBoolean silentIsClosed = new AtomicBoolean();
  private final DatabaseConnection silent = FakeDatabase.connection(false, silentIsClosed);
  private final DatabaseConnection answers = FakeDatabase.connection(true, new AtomicBoolean());

  /** Lends the one and, when that is discarded, the other. */
  private CallRunner runner(Optional<Duration> validateAfter) {
    Queue<DatabaseConnection> connections = new ArrayDeque<>(List.of(silent, answers));
    Database database = FakeDatabase.connectedBy(connections::remove);
    return new CallRunner(
        database, new SingleConnectionLender(database), DeadlineTimer.NONE, validateAfter);
  }

  private DatabaseConnection used(CallRunner runner) {
    return runner.call(Deadline.in(Duration.ofMinutes(1)), connection -> connection);
  }

  @Test
  void oneThatWasIdleForLongAndDoesNotAnswerIsReplaced() {
    assertThat(used(runner(Optional.of(Duration.ZERO)))).isSameAs(answers);
    assertThat(silentIsClosed).isTrue();
  }

  @Test
  void oneThatWasInUseJustNowIsNotAsked() {
    assertThat(used(runner(Optional.of(Duration.ofHours(1))))).isSameAs(silent);
  }

  @Test
  void heartbeatsDoNotAsk() {
    assertThat(used(runner(Optional.empty()))).isSameAs(silent);
  }

  private static void fails(CallRunner runner, DatabaseConnection.Work<Object> work) {
    assertThatThrownBy(() -> runner.call(Deadline.in(Duration.ofMinutes(1)), work))
        .hasMessage("in the driver");
  }

  /** The driver may not have read an answer, which the next call would take for its own. */
  @Test
  void oneOnWhichAnErrorStruckIsReplaced() {
    CallRunner runner = runner(Optional.empty());
    fails(
        runner,
        connection -> {
          throw new StackOverflowError("in the driver");
        });
    assertThat(silentIsClosed).isTrue();
    assertThat(used(runner)).isSameAs(answers);
  }

  @Test
  void oneWhoseDriverThrewWhatItShouldNotIsReplaced() {
    CallRunner runner = runner(Optional.empty());
    fails(
        runner,
        connection -> {
          throw new IllegalStateException("in the driver");
        });
    assertThat(silentIsClosed).isTrue();
    assertThat(used(runner)).isSameAs(answers);
  }

  @Test
  void oneOnWhichACallRanOutOfTimeBetweenTwoStatementsIsKept() {
    CallRunner runner = runner(Optional.empty());
    fails(
        runner,
        connection -> {
          throw new BackendFailure(Effect.NONE, "in the driver", null);
        });
    assertThat(used(runner)).isSameAs(silent);
  }

  @Test
  void oneThatCannotBeAskedIsNotLentForEver() {
    AtomicBoolean exhausted = new AtomicBoolean(true);
    DeadlineTimer timer =
        (deadline, end) -> {
          if (exhausted.getAndSet(false)) {
            throw new OutOfMemoryError("unable to create native thread (test)");
          }
          return () -> true;
        };
    Queue<DatabaseConnection> connections = new ArrayDeque<>(List.of(silent, answers));
    Database database = FakeDatabase.connectedBy(connections::remove);
    CallRunner runner =
        new CallRunner(
            database, new SingleConnectionLender(database), timer, Optional.of(Duration.ZERO));
    assertThatThrownBy(() -> used(runner)).isInstanceOf(OutOfMemoryError.class);
    assertThat(used(runner)).isSameAs(answers);
  }
}
