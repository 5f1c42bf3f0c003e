/**
 * Other views of locks: as those of {@link java.util.concurrent.locks}, and several as one.
 *
 * <p>{@link io.holdfast.DistributedLock#asLock()}, {@link
 * io.holdfast.LockClient#readWriteLock(String)} and {@link
 * io.holdfast.LockClient#lockAll(java.util.Collection)} lead here. May use {@code io.holdfast}; not
 * the engine, not the interface for adapters.
 */
@NullMarked
package io.holdfast.view;

import org.jspecify.annotations.NullMarked;
