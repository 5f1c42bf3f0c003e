/** Real servers, for the tests that run where {@code mongod} is installed. */
@NullMarked
package io.holdfast.mongo.mongod;

import org.jspecify.annotations.NullMarked;
