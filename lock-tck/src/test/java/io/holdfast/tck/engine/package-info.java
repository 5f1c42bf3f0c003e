/** The engine's rules of time and ambiguity, shown on the reference backend in virtual time. */
@NullMarked
package io.holdfast.tck.engine;

import org.jspecify.annotations.NullMarked;
