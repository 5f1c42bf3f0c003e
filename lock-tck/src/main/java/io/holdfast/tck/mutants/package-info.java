/**
 * Broken stores, each wrong in one way in which a store has been wrong somewhere: the proof that
 * the kit notices. A {@link io.holdfast.tck.mutants.Mutant} says which rule it breaks and which
 * tests must reject it; {@link io.holdfast.tck.mutants.Mutants} lists them all.
 *
 * <p>They are wrappers around any backend, so that an adapter's author can see the adapter's own
 * tests fail. Where the mistake is in what a store decides for itself, a mutant is the store in
 * memory with another decision; those are among the tests of lock-memory.
 *
 * <p>{@link io.holdfast.tck.mutants.FenceMutants} are wrong conditions on a grant, for the rules
 * about writes under one.
 */
@NullMarked
package io.holdfast.tck.mutants;

import org.jspecify.annotations.NullMarked;
