/**
 * Many clients that take the same few locks by turns, a judge of what they are told, and the rules
 * that every store goes through so. An adapter that can change its own steps plays with mistakes in
 * them, too.
 */
@NullMarked
package io.holdfast.tck.stress;

import org.jspecify.annotations.NullMarked;
