/** Real servers of MongoDB, where {@code mongod} is installed. */
@NullMarked
package io.holdfast.testing.mongo;

import org.jspecify.annotations.NullMarked;
