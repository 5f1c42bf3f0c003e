/**
 * Holdfast's API: locks with leases and fencing tokens, kept in a store that is chosen when the
 * application is deployed.
 *
 * <p>{@link io.holdfast.Holdfast} is the only entry point. It leads to {@link
 * io.holdfast.LockClient}, {@link io.holdfast.DistributedLock} and {@link io.holdfast.Grant}. The
 * values that these use are in this package too; the exceptions are in {@link io.holdfast.error},
 * and what a store has on record of a lock in {@link io.holdfast.record}. Nothing in this package
 * depends on a particular store.
 */
@NullMarked
package io.holdfast;

import org.jspecify.annotations.NullMarked;
