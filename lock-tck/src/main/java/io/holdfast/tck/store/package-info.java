/**
 * What an adapter tells the kit about its store: how to get an empty one ({@link
 * io.holdfast.tck.store.TckStore}), and, as far as a test can do that to it, how to turn its clock,
 * start it again, make it lose its last writes, cut it off from its quorum, stand between it and
 * its clients, and stop between two steps of a verb (the {@code …Control}s).
 */
@NullMarked
package io.holdfast.tck.store;

import org.jspecify.annotations.NullMarked;
