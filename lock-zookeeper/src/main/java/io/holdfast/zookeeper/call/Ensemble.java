package io.holdfast.zookeeper.call;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import io.holdfast.zookeeper.connection.Connection;
import io.holdfast.zookeeper.connection.Connections;
import io.holdfast.zookeeper.connection.SessionOverException;
import io.holdfast.zookeeper.connection.SessionTimes;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.zookeeper.data.ACL;

/**
 * Runs the verbs of a backend against the ensemble. {@code verb} hands its body a {@link Call}, and
 * runs it again if the connection broke.
 *
 * @param connections makes the connections to the ensemble
 * @param times how the TTL of a session follows from its timeout at the servers
 * @param rights the ACL of new nodes
 * @param beforeStepHook is run before each request of a verb but {@link Pipeline#sync}
 */
public record Ensemble(
    Connections connections,
    String name,
    SessionTimes times,
    List<ACL> rights,
    Runnable beforeStepHook) {

  /** How often a verb takes its session back from another client that uses it at the same time. */
  private static final int MOVES_MAX = 30;

  private static final long PAUSE_MILLIS_MAX = 256;

  /** The longest pause, as a multiple of how long a try has taken so far. */
  private static final long TRIES_PER_PAUSE = 8;

  /** The longest pause is such a part of the time that is left. */
  private static final long PAUSES_IN_TIME_LEFT = 4;

  /** Runs a verb over the connection that belongs to no session. */
  public <T> T verb(Deadline deadline, Function<Call, T> body) {
    return verb(connections.forNoSession(), deadline, body);
  }

  /**
   * Runs a verb over a connection. If another client resumes the session, this connection breaks;
   * then the verb takes the session back and begins again. That leaves nothing unsettled: once the
   * new connection is accepted, every request of the old one has been done or never will be.
   */
  public <T> T verb(Connection connection, Deadline deadline, Function<Call, T> body) {
    return run(new Call(this, connection, deadline), body);
  }

  /**
   * Runs a verb over the connection of a session. If that session is over, goes on with the verb
   * over the connection that belongs to none.
   *
   * @param over is told then
   */
  public <T> T verb(
      Connection connection, Runnable over, Deadline deadline, Function<Call, T> body) {
    Call call = new Call(this, connection, deadline);
    try {
      return run(call, body);
    } catch (SessionOverException gone) {
      over.run();
      return run(call.over(connections.forNoSession()), body);
    }
  }

  private <T> T run(Call call, Function<Call, T> body) {
    if (connections.isClosed()) {
      throw new BackendFailure(
          call.effect(), "The backend for %s is closed.".formatted(name), null);
    }
    long longestMillis = 0;
    for (int moves = 0; ; moves++) {
      long begunNanos = System.nanoTime();
      try {
        return body.apply(call);
      } catch (BackendFailure failure) {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
        longestMillis = Math.max(longestMillis, millis);
        if (!call.mayRetry()
            || moves == MOVES_MAX
            || !pauseBeforeRetry(moves, longestMillis, call.deadline())) {
          throw call.halfway(failure);
        }
      } catch (BackendUnusableException unusable) {
        throw call.halfway(unusable);
      }
    }
  }

  /**
   * Pauses for a random time, whose limit grows with the number of retries. So one of several
   * clients that take a session from each other can finish, also where the servers are slow: it
   * needs as long as a try takes. The first retry does not pause.
   *
   * @param longestMillis how long the longest try has taken
   * @return false if the thread was interrupted
   */
  private static boolean pauseBeforeRetry(int moves, long longestMillis, Deadline deadline) {
    long quick = Math.min(1L << moves, PAUSE_MILLIS_MAX);
    long slow = moves == 0 ? 0 : longestMillis * Math.min(1L << moves, TRIES_PER_PAUSE);
    long limit =
        Math.min(Math.max(quick, slow), deadline.remaining().toMillis() / PAUSES_IN_TIME_LEFT);
    try {
      Thread.sleep(ThreadLocalRandom.current().nextLong(Math.max(1, limit)));
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  void beforeStep() {
    beforeStepHook.run();
  }
}
