/**
 * Hints, which are read from a change stream; internal.
 *
 * <p>Depends on the connections, and on the queue for the keys of locks.
 */
@NullMarked
package io.holdfast.mongo.hint;

import org.jspecify.annotations.NullMarked;
