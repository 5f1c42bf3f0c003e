/**
 * The queue of a lock, and the verbs that read and change it; internal. {@code LockCommands},
 * {@code LeaveCommands}, {@code StayCommands} and {@code SweepCommands} have the commands that they
 * send, and {@code LockDocument} what the server stores.
 *
 * <p>Depends on the sessions, the namespace, the clock and the connections.
 */
@NullMarked
package io.holdfast.mongo.queue;

import org.jspecify.annotations.NullMarked;
