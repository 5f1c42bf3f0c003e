package io.holdfast.mongo.connection;

import com.mongodb.MongoException;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.WriteModel;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.spi.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Sends the commands of one verb. Every command must end by the verb's deadline, waits for a
 * majority, and asks only for the fields that it needs. Replies may still be whole documents, if
 * the server repeats one.
 */
public final class CommandSender {

  private final Connection connection;
  private final MongoErrors errors;
  private final Deadline deadline;
  private final Consumer<String> onCommand;
  private boolean changed;

  public CommandSender(
      Connection connection, MongoErrors errors, Deadline deadline, Consumer<String> onCommand) {
    this.connection = connection;
    this.errors = errors;
    this.deadline = deadline;
    this.onCommand = onCommand;
  }

  public String describe() {
    return errors.where();
  }

  /**
   * Returns the incarnation of the primary that the client knows at the moment; empty if it knows
   * none.
   */
  public Optional<String> incarnation() {
    return connection.incarnation();
  }

  /**
   * Returns the incarnation of the primary, after waiting for one if the client knows none at the
   * moment.
   */
  public Optional<String> incarnationLookedFor() {
    if (connection.incarnation().isEmpty()) {
      send(CollectionRole.NAMESPACE, "ping", (any, limit) -> connection.ping(limit));
    }
    return connection.incarnation();
  }

  /** Returns the incarnation to store beside a time. */
  public String incarnationToWrite() {
    return connection.incarnationToWrite();
  }

  /**
   * Changes a document and returns its new state; empty if no document matched, and then nothing
   * was changed.
   */
  public Optional<BsonDocument> change(CollectionRole role, BsonDocument filter, Update update) {
    Optional<BsonDocument> after =
        send(
            role,
            "change",
            (collection, limit) ->
                Optional.ofNullable(modify(collection, limit, filter, update, false)));
    changed |= after.isPresent();
    return after;
  }

  /**
   * Changes or creates a document and returns its new state; empty if a document with this key
   * exists and does not match, and then nothing was changed.
   */
  public Optional<BsonDocument> changeOrMake(
      CollectionRole role, BsonDocument filter, Update update) {
    Optional<BsonDocument> after =
        send(
            role,
            "change or make",
            (collection, limit) -> {
              try {
                return Optional.ofNullable(modify(collection, limit, filter, update, true));
              } catch (MongoException e) {
                if (MongoErrors.isDuplicate(e)) {
                  return Optional.empty();
                }
                throw e;
              }
            });
    changed |= after.isPresent();
    return after;
  }

  /**
   * Changes the document with this key, or creates it, and returns its new state. It is always a
   * write, so only the real primary can confirm it.
   */
  public BsonDocument write(CollectionRole role, BsonDocument key, Update update) {
    return changeOrMake(role, key, update)
        .orElseThrow(
            () ->
                new BackendFailure(
                    effect(),
                    "%s at %s was created by another client at the same moment."
                        .formatted(key.get("_id"), describe()),
                    null));
  }

  private static @Nullable BsonDocument modify(
      MongoCollection<BsonDocument> collection,
      TimeLimit limit,
      BsonDocument filter,
      Update update,
      boolean make) {
    return collection.findOneAndUpdate(
        filter,
        update.operators(),
        limit.on(
            new FindOneAndUpdateOptions()
                .upsert(make)
                .projection(update.reply())
                .returnDocument(ReturnDocument.AFTER)));
  }

  /** Returns the documents that match, in the order of a field. */
  public List<BsonDocument> find(
      CollectionRole role, BsonDocument filter, BsonDocument reply, String order, int limit) {
    return send(
        role,
        "find",
        (collection, time) ->
            time.on(collection.find(filter))
                .projection(reply)
                .sort(Documents.fields(order))
                .limit(limit)
                .into(new ArrayList<>()));
  }

  /** Returns the result of a pipeline. */
  public List<BsonDocument> aggregate(CollectionRole role, List<? extends Bson> stages) {
    return send(
        role,
        "aggregate",
        (collection, limit) -> limit.on(collection.aggregate(stages)).into(new ArrayList<>()));
  }

  /**
   * Changes and deletes documents, each on its own condition, and returns how many conditions were
   * met.
   */
  public int bulk(CollectionRole role, List<? extends WriteModel<BsonDocument>> writes) {
    if (writes.isEmpty()) {
      return 0;
    }
    BulkWriteResult result =
        send(
            role,
            "bulk write",
            (collection, limit) ->
                collection.bulkWrite(writes, new BulkWriteOptions().ordered(false)));
    int met = result.getMatchedCount() + result.getDeletedCount();
    changed |= met > 0;
    return met;
  }

  /** Returns the server's descriptions of those of our collections that exist. */
  public List<BsonDocument> collections() {
    return send(
        CollectionRole.LOCKS,
        "list collections",
        (locks, limit) ->
            limit
                .on(limit.on(connection.database()).listCollections(BsonDocument.class))
                .filter(connection.isOurs())
                .into(new ArrayList<>()));
  }

  /**
   * Creates an index if it is missing.
   *
   * @return whether it is there; a unique one cannot be built while two documents are alike to it
   */
  public boolean index(CollectionRole role, Index index) {
    return send(role, "index", index::build);
  }

  private <T> T send(
      CollectionRole role,
      String what,
      BiFunction<MongoCollection<BsonDocument>, TimeLimit, T> command) {
    long millis = deadline.remainingMillis();
    if (millis == 0) {
      throw new BackendFailure(
          effect(),
          "The deadline of a call to %s passed before it was done.".formatted(describe()),
          null);
    }
    onCommand.accept(what + " " + role);
    try {
      TimeLimit limit = TimeLimit.in(millis);
      MongoCollection<BsonDocument> limited = limit.on(connection.collection(role));
      return limit.run(() -> command.apply(limited, limit), describe());
    } catch (MongoException | IllegalStateException e) {
      throw connection
          .hostsNotFound()
          .<RuntimeException>map(unknown -> errors.hostsNotFound(unknown, effect()))
          .orElseGet(() -> errors.failure(e, effect()));
    }
  }

  /** Returns the effect of the verb so far, which holds if the next command changes nothing. */
  public Effect effect() {
    return changed ? Effect.UNKNOWN : Effect.NONE;
  }
}
