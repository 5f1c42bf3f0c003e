/**
 * What the author of a backend implements, and nothing else: {@link io.holdfast.spi.LockProvider},
 * {@link io.holdfast.spi.LockBackend} and the values they exchange with the engine.
 *
 * <p>An adapter contains only what its store makes different: the atomic steps, the encoding of
 * names, "has it lapsed" by the store's clock, the store's incarnation, hints. Leases, retries,
 * waiting, ambiguity and deadlines belong to the engine. This package depends on the values of
 * {@code io.holdfast} alone.
 */
@NullMarked
package io.holdfast.spi;

import org.jspecify.annotations.NullMarked;
