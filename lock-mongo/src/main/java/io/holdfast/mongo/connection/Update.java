package io.holdfast.mongo.connection;

import org.bson.BsonDocument;

/**
 * A change of one document, and the fields to return.
 *
 * @param operators the update operators
 * @param reply the projection of the document as it is after the change
 */
public record Update(BsonDocument operators, BsonDocument reply) {}
