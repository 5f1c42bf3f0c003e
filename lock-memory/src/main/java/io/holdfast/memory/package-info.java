/**
 * {@code memory:}, the reference backend: a store of locks inside this process.
 *
 * <p>It is there to be read: {@link io.holdfast.memory.MemoryBackend} is the specification of the
 * verbs in Java, over {@link io.holdfast.memory.MemoryStore}, whose state changes under one
 * monitor. It is there for people's unit tests ({@code Holdfast.connect("memory:test")}, or a store
 * of their own whose clock they turn). And it is there to fail on command: its clock, its
 * incarnation, what it loses and when it answers can be set, so that the rules about restarts,
 * fail-overs and clocks have tests that take milliseconds.
 */
@NullMarked
package io.holdfast.memory;

import org.jspecify.annotations.NullMarked;
