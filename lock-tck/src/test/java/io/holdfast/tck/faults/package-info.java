/** Faults are what they are called. */
@NullMarked
package io.holdfast.tck.faults;

import org.jspecify.annotations.NullMarked;
