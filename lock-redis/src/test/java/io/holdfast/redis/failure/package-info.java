/** Redis that fails over, restarts, is full or cannot be reached. */
@NullMarked
package io.holdfast.redis.failure;

import org.jspecify.annotations.NullMarked;
