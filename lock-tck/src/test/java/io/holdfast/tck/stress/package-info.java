/** The judge of those who put adapters under stress. */
@NullMarked
package io.holdfast.tck.stress;

import org.jspecify.annotations.NullMarked;
