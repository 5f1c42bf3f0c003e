/** A lock of files and one log, into which flaws are put that rules about processes must reject. */
@NullMarked
package io.holdfast.memory.toy;

import org.jspecify.annotations.NullMarked;
