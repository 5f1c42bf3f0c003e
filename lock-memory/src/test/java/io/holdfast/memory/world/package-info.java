/** The processes that use a store in memory, in virtual time, as tests of the engine see them. */
@NullMarked
package io.holdfast.memory.world;

import org.jspecify.annotations.NullMarked;
