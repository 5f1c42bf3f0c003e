/**
 * Faults between a client and its store: {@link io.holdfast.tck.faults.InterceptedBackend} lets
 * every verb pass through one hook, {@link io.holdfast.tck.faults.FaultyBackend} loses, delays,
 * doubles and keeps calls and answers there. They wrap any backend, so they serve tests of an
 * adapter, of the engine, and of applications.
 */
@NullMarked
package io.holdfast.tck.faults;

import org.jspecify.annotations.NullMarked;
