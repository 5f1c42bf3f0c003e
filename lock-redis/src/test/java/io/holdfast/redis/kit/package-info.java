/** The kit on Redis, its ways to a store there, and mutants of the scripts that it must reject. */
@NullMarked
package io.holdfast.redis.kit;

import org.jspecify.annotations.NullMarked;
