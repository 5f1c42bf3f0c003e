/** Queues of locks: their order, their length, lists of them, and what a sweep removes. */
@NullMarked
package io.holdfast.redis.queue;

import org.jspecify.annotations.NullMarked;
