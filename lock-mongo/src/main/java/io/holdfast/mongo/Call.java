package io.holdfast.mongo;

import com.mongodb.MongoException;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.WriteModel;
import io.holdfast.mongo.MongoNames.Part;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * One verb's use of the store. Every command has what is left of the deadline, waits for a
 * majority, and asks only for the fields it needs: a reply that the server repeats may be a whole
 * document, and an imitation's may change while it is sent.
 */
final class Call {

  private static final int DUPLICATE_KEY = 11000;

  private final Connection connection;
  private final MongoErrors errors;
  private final Deadline deadline;
  private final Consumer<String> onCommand;
  private boolean changed;

  Call(Connection connection, MongoErrors errors, Deadline deadline, Consumer<String> onCommand) {
    this.connection = connection;
    this.errors = errors;
    this.deadline = deadline;
    this.onCommand = onCommand;
  }

  String describe() {
    return errors.where();
  }

  /** Returns which primary the client that sends believes in, now; empty if it has none now. */
  Optional<String> incarnation() {
    return connection.incarnation();
  }

  /** Returns the same after looking for a primary, if the client has none now. */
  Optional<String> incarnationLookedFor() {
    if (connection.incarnation().isEmpty()) {
      send(Part.NAMESPACE, "ping", any -> connection.ping(deadline.remainingMillis()));
    }
    return connection.incarnation();
  }

  /** Returns what is written beside a time. */
  String incarnationToWrite() {
    return connection.incarnationToWrite();
  }

  /** Returns what the document has become; empty if none matched, and nothing was changed then. */
  Optional<BsonDocument> change(Part part, BsonDocument filter, Update update) {
    Optional<BsonDocument> after =
        send(
            part,
            "change",
            collection -> Optional.ofNullable(modify(collection, filter, update, false)));
    changed |= after.isPresent();
    return after;
  }

  /**
   * Returns what the document has become, or what was made; empty if there is one with this key
   * that does not match, and nothing was changed then.
   */
  Optional<BsonDocument> changeOrMake(Part part, BsonDocument filter, Update update) {
    Optional<BsonDocument> after =
        send(
            part,
            "change or make",
            collection -> {
              try {
                return Optional.ofNullable(modify(collection, filter, update, true));
              } catch (MongoException e) {
                // With another error beside it, it is not known that what is there will stay.
                if (e.getCode() == DUPLICATE_KEY && !MongoErrors.hasWriteConcernError(e)) {
                  return Optional.empty();
                }
                throw e;
              }
            });
    changed |= after.isPresent();
    return after;
  }

  /**
   * Returns what the document with this key has become, which is made if it is not there. Always a
   * write, so the answer is the real primary's.
   */
  BsonDocument write(Part part, BsonDocument key, Update update) {
    return changeOrMake(part, key, update)
        .orElseThrow(
            () ->
                new BackendFailure(
                    effect(),
                    "%s at %s was made by somebody else at the same moment."
                        .formatted(key.get("_id"), describe()),
                    null));
  }

  private static @Nullable BsonDocument modify(
      MongoCollection<BsonDocument> collection, BsonDocument filter, Update update, boolean make) {
    return collection.findOneAndUpdate(
        filter,
        update.operators(),
        new FindOneAndUpdateOptions()
            .upsert(make)
            .projection(update.reply())
            .returnDocument(ReturnDocument.AFTER));
  }

  /** Returns the documents that match, in the order of a field. */
  List<BsonDocument> find(
      Part part, BsonDocument filter, BsonDocument reply, String order, int most) {
    return send(
        part,
        "find",
        collection ->
            collection
                .find(filter)
                .projection(reply)
                .sort(Docs.fields(order))
                .limit(most)
                .into(new ArrayList<>()));
  }

  /** Returns what a pipeline makes of a collection. */
  List<BsonDocument> aggregate(Part part, List<? extends Bson> stages) {
    return send(
        part, "aggregate", collection -> collection.aggregate(stages).into(new ArrayList<>()));
  }

  /** Changes and deletes, each on its own condition, and returns how many conditions were met. */
  int bulk(Part part, List<? extends WriteModel<BsonDocument>> writes) {
    if (writes.isEmpty()) {
      return 0;
    }
    BulkWriteResult result =
        send(
            part,
            "bulk write",
            collection -> collection.bulkWrite(writes, new BulkWriteOptions().ordered(false)));
    int met = result.getMatchedCount() + result.getDeletedCount();
    changed |= met > 0;
    return met;
  }

  /** Returns what the server says of our collections, those that are there. */
  List<BsonDocument> collections() {
    return send(
        Part.LOCKS,
        "list collections",
        locks ->
            TimeLimit.of(connection.database(), deadline.remainingMillis())
                .listCollections(BsonDocument.class)
                .filter(connection.isOurs())
                .into(new ArrayList<>()));
  }

  /** Does what a collection can besides. */
  <T> T send(Part part, String what, Function<MongoCollection<BsonDocument>, T> command) {
    long millis = deadline.remainingMillis();
    if (millis == 0) {
      throw new BackendFailure(
          effect(),
          "The time for a call to %s was over before it was done.".formatted(describe()),
          null);
    }
    onCommand.accept(what + " " + part);
    try {
      MongoCollection<BsonDocument> limited = TimeLimit.of(connection.collection(part), millis);
      return TimeLimit.run(() -> command.apply(limited), millis, describe());
    } catch (MongoException | IllegalStateException e) {
      throw connection
          .hostsNotFound()
          .<RuntimeException>map(unknown -> errors.hostsNotFound(unknown, effect()))
          .orElseGet(() -> errors.failure(e, effect()));
    }
  }

  /** Returns what the verb has changed if the next command changes nothing. */
  Effect effect() {
    return changed ? Effect.UNKNOWN : Effect.NONE;
  }
}
