package io.holdfast.mongo.hint;

import com.mongodb.client.MongoCursor;
import com.mongodb.client.MongoIterable;
import io.holdfast.SessionId;
import io.holdfast.mongo.connection.CollectionRole;
import io.holdfast.mongo.connection.Connection;
import io.holdfast.mongo.connection.TimeLimit;
import io.holdfast.mongo.hint.HintCommands.HandOver;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A change stream on the locks, and the thread that reads it until it breaks or is stopped. The
 * server answers within a second, with changes or without, so a silent connection is noticed.
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
      Consumer<HandOver> onHandOver,
      Consumer<ChangeStream> onEnd) {
    this.sessions = sessions;
    this.cursor = cursor;
    this.thread = new Thread(() -> read(onHandOver, onEnd), "holdfast-mongo-hints");
    thread.setDaemon(true);
  }

  /**
   * Opens a stream. Changes from now on are reported once it is started.
   *
   * @param millis how long the server may take for each answer, when it opens the stream and later
   * @param where the name of the store in messages
   * @param onEnd called when the stream has ended
   */
  static ChangeStream open(
      Connection connection,
      Set<SessionId> sessions,
      long millis,
      String where,
      Consumer<HandOver> onHandOver,
      Consumer<ChangeStream> onEnd) {
    TimeLimit limit = TimeLimit.in(millis);
    MongoIterable<BsonDocument> changes =
        limit
            .on(connection.collection(CollectionRole.LOCKS))
            .watch(HintCommands.handOversTo(sessions))
            .maxAwaitTime(Math.min(AWAIT_MILLIS_MAX, millis / 2), TimeUnit.MILLISECONDS)
            .withDocumentClass(BsonDocument.class);
    MongoCursor<BsonDocument> cursor = limit.run(changes::iterator, MongoCursor::close, where);
    return new ChangeStream(sessions, cursor, onHandOver, onEnd);
  }

  Set<SessionId> sessions() {
    return sessions;
  }

  void start() {
    thread.start();
  }

  /** Ends the stream, at the latest when the server's time for an answer is over. */
  void stop() {
    stopped = true;
    if (thread.getState() == Thread.State.NEW) {
      cursor.close();
    }
  }

  /** Waits until the thread ends. */
  void await(long millis) throws InterruptedException {
    thread.join(millis);
  }

  private void read(Consumer<HandOver> onHandOver, Consumer<ChangeStream> onEnd) {
    try (cursor) {
      // The server ends a stream when its collection is dropped.
      while (!stopped && cursor.getServerCursor() != null) {
        BsonDocument event = cursor.tryNext();
        if (event != null) {
          onHandOver.accept(HandOver.read(event));
        }
      }
    } catch (RuntimeException e) {
      if (!stopped) {
        LOG.info("The change stream ended; waiters poll until there is another: {}", e.toString());
      }
    } finally {
      onEnd.accept(this);
    }
  }
}
