/** Waiting for a lock: threads, asynchronous acquires, hints, looks, watches. */
@NullMarked
package io.holdfast.memory.wait;

import org.jspecify.annotations.NullMarked;
