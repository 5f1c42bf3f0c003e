/** The examples of watching. */
@NullMarked
package io.holdfast.memory.watch;

import org.jspecify.annotations.NullMarked;
