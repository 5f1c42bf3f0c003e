/** The engine's rules of time and ambiguity, shown on the reference backend in virtual time. */
@NullMarked
package io.holdfast.memory.engine;

import org.jspecify.annotations.NullMarked;
