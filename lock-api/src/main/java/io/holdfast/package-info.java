/**
 * Holdfast's API: locks with leases and fencing tokens, over a store that is chosen when the
 * application is deployed.
 *
 * <p>{@link io.holdfast.Holdfast} is the only way in; it leads to {@link io.holdfast.LockClient},
 * {@link io.holdfast.DistributedLock} and {@link io.holdfast.Grant}. The values that these speak
 * of, and the exceptions, live here too. Nothing in this package depends on a store.
 */
@NullMarked
package io.holdfast;

import org.jspecify.annotations.NullMarked;
