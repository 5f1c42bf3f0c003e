/**
 * The interfaces that the author of a backend implements, and nothing else: {@link
 * io.holdfast.spi.LockProvider}, {@link io.holdfast.spi.LockBackend} and the values that they
 * exchange with the engine.
 *
 * <p>An adapter contains only what differs from store to store: the atomic steps, the encoding of
 * names, the check by the store's clock whether a session has lapsed, the store's incarnation, and
 * hints. Leases, retries, waiting, ambiguity and deadlines belong to the engine. This package
 * depends only on the values of {@code io.holdfast}.
 */
@NullMarked
package io.holdfast.spi;

import org.jspecify.annotations.NullMarked;
