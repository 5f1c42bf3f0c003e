package io.holdfast.zookeeper.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.SessionId;
import io.holdfast.spi.Deadline;
import io.holdfast.zookeeper.connection.Connection;
import io.holdfast.zookeeper.connection.SessionIdentity;
import io.holdfast.zookeeper.connection.SessionTimes;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.SessionNode;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;

/** When a session counts as one that nobody renews any more. */
class AbandonedSessionsTest {

  private static final Duration TTL = Duration.ofHours(10);
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration MOMENT = Duration.ofMillis(200);

  private final Queue<Session> over = new ConcurrentLinkedQueue<>();

  /** A session that was last renewed long ago, as after a pause of its process. */
  private final Session session =
      new Session(
          new SessionNode(SessionId.fresh(), 1, new byte[0], TTL, 1, new byte[0]),
          new Unconnected(),
          new SessionTimes(MOMENT),
          new Session.Renewal(longAgo(), longAgo(), TTL),
          OptionalInt.of(1),
          Optional.empty());

  private static long longAgo() {
    return System.nanoTime() - TTL.multipliedBy(2).toNanos();
  }

  private AbandonedSessions sessions(Duration again) {
    return new AbandonedSessions(new Paths("/a"), again, asked -> true, over::add);
  }

  /** Servers end it: so it is told at once that it is over. */
  private static final class Unconnected implements Connection {
    @Override
    public ZooKeeper connected(Deadline deadline) {
      throw new IllegalStateException("not used");
    }

    @Override
    public boolean isExpired(ZooKeeper client) {
      return false;
    }

    @Override
    public boolean end(Deadline deadline) {
      return false;
    }

    @Override
    public SessionIdentity identity(ZooKeeper client) {
      throw new IllegalStateException("not used");
    }

    @Override
    public Optional<ZooKeeper> ifConnected() {
      return Optional.empty();
    }

    @Override
    public void abandon(Runnable then) {}

    @Override
    public boolean isShared() {
      return false;
    }

    @Override
    public boolean livesOn() {
      return false;
    }

    @Override
    public boolean reconnects() {
      return false;
    }
  }

  /** The heartbeat that is as late may be sent in the next moment. */
  @Test
  void theFirstLookAfterAPauseEndsNothing() {
    try (AbandonedSessions abandoned = sessions(LONG)) {
      abandoned.look(session);

      assertThat(over).isEmpty();
    }
  }

  @Test
  void whatNobodyTriesToRenewUntilTheNextLookIsEnded() {
    try (AbandonedSessions abandoned = sessions(MOMENT)) {
      abandoned.look(session);

      await().atMost(Duration.ofSeconds(60)).until(() -> over.contains(session));
    }
  }

  @Test
  void aTryBetweenTheLooksSavesIt() {
    try (AbandonedSessions abandoned = sessions(LONG)) {
      long suspected = System.nanoTime();
      session.tries(suspected);

      abandoned.lookAgain(session, suspected);

      assertThat(over).isEmpty();
    }
  }

  /** The process has stood still between the two looks, too. */
  @Test
  void aSecondLookThatIsLateIsTheFirstAfterThePause() {
    try (AbandonedSessions abandoned = sessions(LONG)) {
      abandoned.lookAgain(session, System.nanoTime() - LONG.multipliedBy(3).toNanos());
      assertThat(over).isEmpty();

      abandoned.lookAgain(session, System.nanoTime() - LONG.toNanos());
      assertThat(over).containsExactly(session);
    }
  }
}
