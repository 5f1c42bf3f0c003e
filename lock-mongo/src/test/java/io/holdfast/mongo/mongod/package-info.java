/** Real servers, and the whole kit on them, for where {@code mongod} is installed. */
@NullMarked
package io.holdfast.mongo.mongod;

import org.jspecify.annotations.NullMarked;
