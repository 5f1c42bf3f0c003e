/**
 * Ladders of bare statements from the limit to the client: each rung does one thing more that a
 * promise of Holdfast demands. May depend on {@code store}, {@code contender}, the adapters and the
 * drivers.
 */
@NullMarked
package io.holdfast.benchmarks.rungs;

import org.jspecify.annotations.NullMarked;
