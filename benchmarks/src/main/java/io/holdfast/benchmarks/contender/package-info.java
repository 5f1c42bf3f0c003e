/**
 * The contenders of a comparison: Holdfast, a peer, or the bare driver. May depend on lock-api
 * alone; the limits and peers, which depend on drivers, implement it.
 */
@NullMarked
package io.holdfast.benchmarks.contender;

import org.jspecify.annotations.NullMarked;
