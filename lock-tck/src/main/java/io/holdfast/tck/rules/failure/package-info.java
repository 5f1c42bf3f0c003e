/**
 * Rules about a store that fails or whose clock is set: restarts, fail-overs, a lost quorum, clock
 * steps. Depends on {@code fixture}.
 */
@NullMarked
package io.holdfast.tck.rules.failure;

import org.jspecify.annotations.NullMarked;
