/**
 * The kit rejects what is broken: its own mutants made of the store in memory, and those that are
 * this store with another decision of its own.
 */
@NullMarked
package io.holdfast.memory.mutants;

import org.jspecify.annotations.NullMarked;
