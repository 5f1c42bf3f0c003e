package io.holdfast.mongo;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * A client of version 1 that has read the namespace long ago, with the commands of that version.
 *
 * @param session the id of its session
 */
record FormerClient(MongoDatabase database, String session) {

  static final String PROCESS = "former:1";

  private static final int DUPLICATE_KEY = 11000;

  static FormerClient in(MongoClient client, String database, String session) {
    return new FormerClient(client.getDatabase(database), session);
  }

  /** Writes the namespace as the first client of its version did. */
  void makeNamespace() {
    change(
        "namespace",
        "{_id: 'namespace'}",
        """
        {$setOnInsert: {protocol: NumberLong(1), partitions: NumberLong(1), maxTtl: NumberLong(60000000),
                        maxClockStep: NumberLong(1000000), floor: NumberLong(0)},
         $inc: {sweeps: NumberLong(1)}}""",
        true);
  }

  /** Returns whether it may believe that its session is open. */
  boolean open(long ttlMillis) {
    return change(
            "sessions",
            "{_id: '%s', ended: {$exists: false}, ttl: {$exists: false}}".formatted(session),
            """
            {$currentDate: {renewed: true}, $set: {inc: 'standalone'}, $inc: {renewals: NumberLong(1)},
             $setOnInsert: {ttl: NumberLong(%s), process: '%s'}}"""
                .formatted(ttlMillis, PROCESS),
            true)
        .isPresent();
  }

  /** Returns whether its session lives, as far as it can see. */
  boolean renew() {
    return change(
            "sessions",
            "{_id: '%s', ended: {$exists: false}}".formatted(session),
            "{$currentDate: {renewed: true}, $set: {inc: 'standalone'}, $inc: {renewals: NumberLong(1)}}",
            false)
        .isPresent();
  }

  /** Writes that its session is over, if there is none, too. */
  boolean close() {
    return change(
            "sessions",
            "{_id: '%s'}".formatted(session),
            "{$currentDate: {judged: true}, $set: {ended: 'closed'}, $inc: {looks: NumberLong(1)}}",
            true)
        .isPresent();
  }

  /** Takes a free lock, and returns whether it did. */
  boolean grab(String lock) {
    return change(
            "locks",
            "{_id: '%s', 'queue.0': {$exists: false}}".formatted(lock),
            "{$push: {queue: %s}, $inc: {n: NumberLong(1)}, $currentDate: {since: true}, $setOnInsert: {base: NumberLong('%s')}}"
                .formatted(entry(), System.currentTimeMillis() * 1_000),
            true)
        .isPresent();
  }

  /** Waits for a held lock, and returns whether it does. */
  boolean join(String lock) {
    return change(
            "locks",
            "{_id: '%s', 'queue.0': {$exists: true}}".formatted(lock),
            "{$push: {queue: %s}}".formatted(entry()),
            false)
        .isPresent();
  }

  /** Gives a lock back that it holds, and returns whether it did. */
  boolean release(String lock) {
    return change(
            "locks",
            "{_id: '%s', 'queue.0.req': '%s-1'}".formatted(lock, session),
            "{$pop: {queue: -1}, $inc: {n: NumberLong(1), left: NumberLong(1)}, $currentDate: {since: true}, $unset: {revoked: ''}}",
            false)
        .isPresent();
  }

  private String entry() {
    return "{req: '%s-1', mode: 'x', process: '%s', why: 'old', payload: BinData(0, '')}"
        .formatted(session, PROCESS);
  }

  private Optional<BsonDocument> change(String what, String filter, String update, boolean make) {
    MongoCollection<BsonDocument> collection =
        database.getCollection("holdfast_" + what, BsonDocument.class);
    try {
      return Optional.ofNullable(
          collection.findOneAndUpdate(
              BsonDocument.parse(filter),
              BsonDocument.parse(update),
              new FindOneAndUpdateOptions()
                  .upsert(make)
                  .projection(BsonDocument.parse("{_id: 1}"))
                  .returnDocument(ReturnDocument.AFTER)));
    } catch (MongoCommandException e) {
      if (e.getErrorCode() == DUPLICATE_KEY) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
