/**
 * Mistakes that are an engine's: any store with one of them is as if the client in front of it had
 * forgotten a rule.
 */
@NullMarked
package io.holdfast.tck.mutants.engine;

import org.jspecify.annotations.NullMarked;
