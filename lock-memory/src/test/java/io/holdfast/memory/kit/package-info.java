/** Parts of the kit that need a store to be tested on. */
@NullMarked
package io.holdfast.memory.kit;

import org.jspecify.annotations.NullMarked;
