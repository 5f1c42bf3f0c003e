/** The judge of those who put adapters under stress. */
@NullMarked
package io.holdfast.testing.stress;

import org.jspecify.annotations.NullMarked;
