/**
 * Runs rules of the kit on a store from inside a test, and shows that they reject a mutant of it.
 */
@NullMarked
package io.holdfast.testing.kit;

import org.jspecify.annotations.NullMarked;
