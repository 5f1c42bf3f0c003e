/** The documents say what is so. */
@NullMarked
package io.holdfast.tck.docs;

import org.jspecify.annotations.NullMarked;
