package io.holdfast.mongo.queue;

import static io.holdfast.mongo.connection.Documents.doc;
import static io.holdfast.mongo.connection.Documents.number;
import static io.holdfast.mongo.connection.Documents.text;

import io.holdfast.LockMode;
import io.holdfast.record.RequestId;
import io.holdfast.spi.Request;
import java.time.Duration;
import org.bson.BsonDocument;
import org.bson.BsonInt64;

/**
 * A request in a lock's queue. Texts about it that only people read are kept apart, because every
 * step on a lock rewrites the queue.
 *
 * @param lockDelay for how long it keeps the lock when its session has ended uncleanly
 */
record Entry(RequestId request, LockMode mode, Duration lockDelay) {

  static Entry read(BsonDocument entry) {
    return new Entry(
        RequestId.parse(entry.getString("req").getValue()),
        mode(entry.getString("mode").getValue()),
        Duration.ofMillis(entry.getInt64("delay", new BsonInt64(0)).getValue()));
  }

  private static LockMode mode(String mode) {
    return switch (mode) {
      case LockCommands.SHARED -> LockMode.SHARED;
      case LockCommands.EXCLUSIVE -> LockMode.EXCLUSIVE;
      default -> throw new IllegalArgumentException("Not a mode: " + mode);
    };
  }

  static BsonDocument write(Request request) {
    String mode = request.mode() == LockMode.SHARED ? LockCommands.SHARED : LockCommands.EXCLUSIVE;
    BsonDocument entry = doc("req", text(request.id())).append("mode", text(mode));
    if (request.hasLockDelay()) {
      entry.append("delay", number(StoredStay.millis(request.lockDelay())));
    }
    return entry;
  }

  boolean isShared() {
    return mode == LockMode.SHARED;
  }
}
