/**
 * The rules of an adapter's tests besides the kit, each with servers of its own: about deaths,
 * standstills and losses of its servers, the cost of a hand-over, and the worth of a fenced write.
 * A test implements the rules that its store has servers for.
 */
@NullMarked
package io.holdfast.tck.adapter;

import org.jspecify.annotations.NullMarked;
