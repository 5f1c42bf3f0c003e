/**
 * Helpers that adapters may use: URIs of one form, names, namespaces and queues as text, batches,
 * times in microseconds, permits with a deadline. No adapter has to use them. This package depends
 * on {@code io.holdfast.spi} and the values of {@code io.holdfast}; nothing in lock-api depends on
 * it.
 */
@NullMarked
package io.holdfast.spi.support;

import org.jspecify.annotations.NullMarked;
