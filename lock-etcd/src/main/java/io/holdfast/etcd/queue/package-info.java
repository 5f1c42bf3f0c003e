/**
 * The queues of locks: joining and leaving, revoking, reading, and watching the predecessor;
 * internal.
 *
 * <p>May use {@code session}, {@code connection} and {@code format}, but not the backend.
 */
@NullMarked
package io.holdfast.etcd.queue;

import org.jspecify.annotations.NullMarked;
