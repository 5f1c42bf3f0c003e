/**
 * The limits: two bare calls of the driver that an adapter uses, which store and delete one holder.
 * May depend on {@code contender} and the drivers.
 */
@NullMarked
package io.holdfast.benchmarks.limit;

import org.jspecify.annotations.NullMarked;
