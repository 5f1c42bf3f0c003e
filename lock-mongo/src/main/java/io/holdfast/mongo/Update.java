package io.holdfast.mongo;

import org.bson.BsonDocument;

/**
 * A change of one document.
 *
 * @param operators what to do with it
 * @param reply which fields to tell as they are afterwards
 */
record Update(BsonDocument operators, BsonDocument reply) {}
