/**
 * Other views of locks: as those of {@link java.util.concurrent.locks}.
 *
 * <p>{@link io.holdfast.DistributedLock#asLock()} and {@link
 * io.holdfast.LockClient#readWriteLock(String)} lead here. May use {@code io.holdfast}; not the
 * engine, not the interface for adapters.
 */
@NullMarked
package io.holdfast.view;

import org.jspecify.annotations.NullMarked;
