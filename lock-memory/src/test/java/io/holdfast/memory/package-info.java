/** The reference backend against the kit, and what can be set in it. */
@NullMarked
package io.holdfast.memory;

import org.jspecify.annotations.NullMarked;
