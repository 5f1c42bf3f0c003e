/**
 * The adapter that keeps locks in MongoDB.
 *
 * <p>{@link io.holdfast.mongo.MongoLockProvider} takes the URIs, and {@link
 * io.holdfast.mongo.MongoLocks} a client that the application has already. Behind them, a backend's
 * verbs are in {@code Sessions}, {@code Queues}, {@code Revocations}, {@code Views} and {@code
 * Sweep}. They send the commands of {@code SessionCommands} and {@code LockCommands} through a
 * {@code Call}, each of which is one atomic step on one document. {@code Hints} says when to look.
 */
@NullMarked
package io.holdfast.mongo;

import org.jspecify.annotations.NullMarked;
