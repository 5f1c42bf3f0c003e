/**
 * Election: of those who stand, one leads at a time. The leader is the holder of a lock, and its
 * term is the token of its grant.
 *
 * <p>Stands on the public interface of {@code io.holdfast} alone: an election asks nothing of a
 * store that a lock does not ask. May use neither the engine nor the interface for adapters.
 */
@NullMarked
package io.holdfast.election;

import org.jspecify.annotations.NullMarked;
