/**
 * The test of an adapter tells the kit about its store: how to get an empty one ({@link
 * io.holdfast.tck.store.TckStore}), and, as far as a test can do these things, how to set its
 * clock, restart it, make it lose its last writes, cut it off from its quorum, put a proxy between
 * it and its clients, and stop a verb between two of its steps (the {@code …Control} interfaces).
 */
@NullMarked
package io.holdfast.tck.store;

import org.jspecify.annotations.NullMarked;
