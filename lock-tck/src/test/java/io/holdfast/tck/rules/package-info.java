/** What the rules are built from does what it says. */
@NullMarked
package io.holdfast.tck.rules;

import org.jspecify.annotations.NullMarked;
