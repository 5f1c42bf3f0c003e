/**
 * Holdfast's API: locks with leases and fencing tokens, kept in a store that is chosen when the
 * application is deployed.
 *
 * <p>{@link io.holdfast.Holdfast} is the only entry point. It leads to {@link
 * io.holdfast.LockClient}, {@link io.holdfast.DistributedLock} and {@link io.holdfast.Grant}. The
 * values that these use and the exceptions are in this package too. Nothing in this package depends
 * on a particular store.
 */
@NullMarked
package io.holdfast;

import org.jspecify.annotations.NullMarked;
