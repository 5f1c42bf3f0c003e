/**
 * The adapter that keeps locks in MongoDB.
 *
 * <p>Applications use {@link io.holdfast.mongo.MongoLockProvider} through a URI, or {@link
 * io.holdfast.mongo.MongoLocks} with a {@code MongoClient} of their own; {@link
 * io.holdfast.mongo.MongoNames} names the database and the collections. {@code MongoLockBackend}
 * has the verbs. {@code Sweep} is the sweep.
 *
 * <p>The packages below this one are internal, and this package may use all of them. {@code queue}
 * has the verbs on a lock's queue, {@code session} those on sessions, and {@code hint} the push
 * channel. They send commands, each of which is one atomic step on one document, over a {@code
 * connection}. {@code namespace} has the settings and the floor, {@code clock} the server's clock.
 */
@NullMarked
package io.holdfast.mongo;

import org.jspecify.annotations.NullMarked;
