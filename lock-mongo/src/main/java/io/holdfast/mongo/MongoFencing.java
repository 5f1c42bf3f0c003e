package io.holdfast.mongo;

import com.mongodb.ReadPreference;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.CountOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.client.result.UpdateResult;
import io.holdfast.LockMode;
import io.holdfast.Sequencer;
import io.holdfast.error.BadRequestException;
import io.holdfast.error.StaleTokenException;
import java.util.regex.Pattern;
import org.bson.conversions.Bson;

/**
 * Lets MongoDB itself refuse a stale holder: each document remembers the greatest tokens with which
 * it was written, and an update matches it only if no greater one was. The lock may be in another
 * store.
 *
 * <pre>{@code
 * fencing.updateOne(
 *     orders,
 *     grant.sequencer(), // throws StaleTokenException if it is stale
 *     Filters.eq("_id", 42),
 *     Updates.set("state", "shipped"));
 * }</pre>
 *
 * <p>A document is to be written under one lock, always. One that the next holder has not written
 * yet does not know of it; where that matters, keep one document for each lock and write it first.
 * Thread-safe.
 */
public final class MongoFencing {

  /** The field of a document that has its tokens, unless another one is given. */
  public static final String FIELD_DEFAULT = "fence";

  private static final Pattern FIELD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private final String exclusive;
  private final String shared;

  /** Remembers tokens in the field {@link #FIELD_DEFAULT} of each document. */
  public MongoFencing() {
    this(FIELD_DEFAULT);
  }

  /**
   * Remembers tokens in a field of each document.
   *
   * @throws BadRequestException if the name is not made of letters, digits and underscores
   */
  public MongoFencing(String field) {
    if (!FIELD.matcher(field).matches()) {
      throw new BadRequestException(
          "The field for tokens must be named with letters, digits and underscores, not: " + field);
    }
    this.exclusive = field + ".exclusive";
    this.shared = field + ".shared";
  }

  /**
   * Returns the filter that matches documents for which the token is not stale, also those that
   * remember none. For an exclusive holder these are the documents that no exclusive holder has
   * written with a greater token, and no shared one with a token that is not smaller; for a shared
   * holder those that no exclusive one has written with a greater token. To be used together with
   * {@link #raise} in one update.
   */
  public Bson isFresh(Sequencer sequencer) {
    long token = sequencer.token().value();
    Bson noGreater = Filters.not(Filters.gt(exclusive, token));
    return sequencer.mode() == LockMode.EXCLUSIVE
        ? Filters.and(noGreater, Filters.not(Filters.gte(shared, token)))
        : noGreater;
  }

  /** Returns the update that has a document remember the token. */
  public Bson raise(Sequencer sequencer) {
    return Updates.max(
        sequencer.mode() == LockMode.EXCLUSIVE ? exclusive : shared, sequencer.token().value());
  }

  /**
   * Updates one document for the holder of a lock, which the document remembers, or refuses the
   * holder. Inserts nothing. If no document matches the filter, the result says so.
   *
   * @param documents a collection with a write concern of a majority and its journals, since a
   *     write that a fail-over undoes takes what it has remembered with it
   * @param filter which document, as if there were no tokens
   * @param update by operators
   * @throws StaleTokenException if the token is refused; nothing is changed then
   * @throws BadRequestException if the collection's writes are not acknowledged
   * @throws com.mongodb.MongoException if the server refuses the update, or does not answer
   */
  public UpdateResult updateOne(
      MongoCollection<?> documents, Sequencer sequencer, Bson filter, Bson update) {
    if (!documents.getWriteConcern().isAcknowledged()) {
      throw new BadRequestException(
          "Writes to the collection %s are not acknowledged, so no writer would learn of a refusal. Give it another write concern."
              .formatted(documents.getNamespace()));
    }
    UpdateResult result =
        documents.updateOne(
            Filters.and(filter, isFresh(sequencer)), Updates.combine(update, raise(sequencer)));
    if (result.getMatchedCount() == 0 && isRefused(documents, sequencer, filter)) {
      throw new StaleTokenException(
          "An update of a document in %s with the token %s for the lock \"%s\" (%s) was refused: the document was written with a greater token. The lock has passed on; stop what relies on it."
              .formatted(
                  documents.getNamespace(), sequencer.token(), sequencer.name(), sequencer.mode()));
    }
    return result;
  }

  /** Why nothing has matched; nothing was written in either case. */
  private boolean isRefused(MongoCollection<?> documents, Sequencer sequencer, Bson filter) {
    return documents
            .withReadPreference(ReadPreference.primary())
            .countDocuments(
                Filters.and(filter, Filters.nor(isFresh(sequencer))), new CountOptions().limit(1))
        > 0;
  }
}
