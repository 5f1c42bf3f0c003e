package io.holdfast.mongo;

import com.mongodb.client.MongoCursor;
import io.holdfast.SessionId;
import io.holdfast.mongo.HintCommands.HandOver;
import io.holdfast.mongo.MongoNames.Part;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A change stream on the locks, and the thread that reads it until it breaks or is stopped. The
 * server answers within a second whether anything has changed or not, so silence is noticed.
 */
final class ChangeStream {

  private static final Logger LOG = LoggerFactory.getLogger(ChangeStream.class);
  private static final long AWAIT_MILLIS_MAX = 1_000;

  private final Set<SessionId> sessions;
  private final MongoCursor<BsonDocument> cursor;
  private final Thread thread;
  private volatile boolean stopped;

  private ChangeStream(
      Set<SessionId> sessions,
      MongoCursor<BsonDocument> cursor,
      Consumer<HandOver> told,
      Consumer<ChangeStream> ended) {
    this.sessions = sessions;
    this.cursor = cursor;
    this.thread = new Thread(() -> read(told, ended), "holdfast-mongo-hints");
    thread.setDaemon(true);
  }

  /**
   * Opens one. What changes from now on is told once it is started.
   *
   * @param millis how long the server may take to answer, at first and while it is read
   * @param ended told when nothing more comes
   */
  static ChangeStream open(
      Connection connection,
      Set<SessionId> sessions,
      long millis,
      Consumer<HandOver> told,
      Consumer<ChangeStream> ended) {
    MongoCursor<BsonDocument> cursor =
        TimeLimit.of(connection.collection(Part.LOCKS), millis)
            .watch(HintCommands.handOversTo(sessions))
            .maxAwaitTime(Math.min(AWAIT_MILLIS_MAX, millis / 2), TimeUnit.MILLISECONDS)
            .withDocumentClass(BsonDocument.class)
            .iterator();
    return new ChangeStream(sessions, cursor, told, ended);
  }

  Set<SessionId> sessions() {
    return sessions;
  }

  void start() {
    thread.start();
  }

  /** Ends within the time that the server has for an answer. */
  void stop() {
    stopped = true;
    if (thread.getState() == Thread.State.NEW) {
      cursor.close();
    }
  }

  /** Waits for the end of its thread. */
  void await(long millis) throws InterruptedException {
    thread.join(millis);
  }

  private void read(Consumer<HandOver> told, Consumer<ChangeStream> ended) {
    try (cursor) {
      // The server ends a stream when its collection is dropped.
      while (!stopped && cursor.getServerCursor() != null) {
        BsonDocument event = cursor.tryNext();
        if (event != null) {
          told.accept(HandOver.read(event));
        }
      }
    } catch (RuntimeException e) {
      if (!stopped) {
        LOG.info("No hints until there is a change stream again: {}", e.toString());
      }
    } finally {
      ended.accept(this);
    }
  }
}
