/**
 * Many clients that take the same few locks by turns, and a judge of what they are told. For
 * adapters whose steps compare what other clients may change at the same time.
 */
@NullMarked
package io.holdfast.testing.stress;

import org.jspecify.annotations.NullMarked;
