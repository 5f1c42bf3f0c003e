/**
 * Rules about single calls: that calls are bounded in time and can be repeated, that messages are
 * lost or doubled, that clients die between two steps of a verb, and that steps of two clients
 * interleave. Depends on {@code fixture}, {@code network} and {@code faults}.
 */
@NullMarked
package io.holdfast.tck.rules.call;

import org.jspecify.annotations.NullMarked;
