/** The kit rejects what is broken. */
@NullMarked
package io.holdfast.tck.mutants;

import org.jspecify.annotations.NullMarked;
