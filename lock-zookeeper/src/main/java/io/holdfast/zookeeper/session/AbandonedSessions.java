package io.holdfast.zookeeper.session;

import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.connection.Threads;
import io.holdfast.zookeeper.connection.ZookeeperErrors;
import io.holdfast.zookeeper.layout.Paths;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;

/**
 * Ends sessions that the engine no longer renews. Otherwise the client library would keep the
 * ZooKeeper session alive for as long as the process runs.
 */
final class AbandonedSessions implements AutoCloseable {

  private final Paths paths;
  private final Duration again;
  private final Predicate<Session> isInUse;
  private final Consumer<Session> over;
  private final ScheduledThreadPoolExecutor timers = Threads.timers();

  /**
   * Makes it.
   *
   * @param again the time after which to look or try again: long enough for a heartbeat that is due
   * @param isInUse whether this client still uses a session
   * @param over is told of each session that was ended or disconnected
   */
  AbandonedSessions(
      Paths paths, Duration again, Predicate<Session> isInUse, Consumer<Session> over) {
    this.paths = paths;
    this.again = again;
    this.isInUse = isInUse;
    this.over = over;
  }

  /** Watches over a session from now on. */
  void watch(Session session) {
    lookIn(session.untilAbandoned(System.nanoTime()), session);
  }

  private void lookIn(Duration time, Session session) {
    after(time, () -> look(session));
  }

  private void after(Duration time, Runnable body) {
    try {
      Future<?> unused = timers.schedule(body, time.toMillis() + 1, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      // A client that closes leaves all its sessions.
    }
  }

  /**
   * A session that no thread has tried to renew is only suspected: the process may have stood
   * still.
   */
  void look(Session session) {
    if (!isInUse.test(session)) {
      return;
    }
    long now = System.nanoTime();
    Duration left = session.untilAbandoned(now);
    if (left.isNegative() || left.isZero()) {
      after(again, () -> lookAgain(session, now));
    } else {
      lookIn(left, session);
    }
  }

  /**
   * Looks a second time. A client that goes on with a session has tried to renew it since the
   * first, as heartbeats are due at once after a pause. But this look may come after another one.
   *
   * @param suspectedNanos when it was looked before
   */
  void lookAgain(Session session, long suspectedNanos) {
    long now = System.nanoTime();
    boolean isLate = now - suspectedNanos > again.multipliedBy(2).toNanos();
    Duration left = session.untilAbandoned(now);
    if (isLate || !(left.isNegative() || left.isZero())) {
      look(session);
    } else if (isInUse.test(session)) {
      decide(session);
    }
  }

  private void decide(Session session) {
    Optional<ZooKeeper> client = session.connection().ifConnected();
    if (client.isPresent()) {
      end(session, client.get());
    } else {
      notConnected(session);
    }
  }

  /** Unless another client has renewed it meanwhile: then it is only left. Waits for nothing. */
  private void end(Session session, ZooKeeper client) {
    boolean mayBeOthers = !session.connection().livesOn();
    if (mayBeOthers && session.version().isEmpty()) {
      over.accept(session);
      return;
    }
    int version = mayBeOthers ? session.version().getAsInt() : Pipeline.ANY_VERSION;
    List<Op> nodes =
        List.of(
            Op.delete(paths.session(session.node().id()), version),
            Op.delete(paths.notices(session.node().id()), Pipeline.ANY_VERSION));
    client.multi(
        nodes,
        (code, path, context, results) -> {
          if (Code.get(code) == Code.OK) {
            // Where the ZooKeeper session lives on, they would stand in the way for as long.
            session.placesWithoutDelay().forEach(place -> delete(client, place));
            session.connection().abandon(() -> over.accept(session));
          } else if (ZookeeperErrors.isLost(Code.get(code))) {
            notConnected(session);
          } else {
            over.accept(session);
          }
        },
        null);
  }

  private static void delete(ZooKeeper client, RememberedPosition place) {
    client.delete(
        place.creation().place().path(), place.version(), (code, asked, context) -> {}, null);
  }

  /**
   * The servers end a session that is not connected; but an application's may be connected again.
   */
  private void notConnected(Session session) {
    if (session.connection().livesOn()) {
      lookIn(again, session);
    } else {
      over.accept(session);
    }
  }

  @Override
  public void close() {
    timers.shutdownNow();
  }
}
