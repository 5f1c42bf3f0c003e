/** Acquires for which no thread waits, as an application uses them. */
@NullMarked
package io.holdfast.memory.async;

import org.jspecify.annotations.NullMarked;
