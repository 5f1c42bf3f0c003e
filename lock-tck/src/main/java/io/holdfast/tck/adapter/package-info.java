/**
 * What the tests of an adapter show besides the kit, each with servers of its own: over deaths,
 * standstills and losses of its servers, what a hand-over costs, and what a fenced write is worth.
 * A test implements the rules that its store has servers for.
 */
@NullMarked
package io.holdfast.tck.adapter;

import org.jspecify.annotations.NullMarked;
