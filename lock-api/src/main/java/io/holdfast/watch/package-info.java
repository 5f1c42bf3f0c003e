/**
 * Watching: being told the state of locks as it changes, without asking for any of them.
 *
 * <p>Stands on the public interface of {@code io.holdfast} alone. May use neither the engine nor
 * the interface for adapters.
 */
@NullMarked
package io.holdfast.watch;

import org.jspecify.annotations.NullMarked;
