/**
 * The resource's side of a lock: what lets in the holder of the newest grant and refuses all
 * earlier ones. Needs no client and no store of locks.
 *
 * <p>May use the values of {@code io.holdfast}; not the engine, not the interface for adapters.
 */
@NullMarked
package io.holdfast.fencing;

import org.jspecify.annotations.NullMarked;
