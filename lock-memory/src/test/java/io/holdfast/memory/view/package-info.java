/** Locks as {@code java.util.concurrent.locks} has them, on platform and on virtual threads. */
@NullMarked
package io.holdfast.memory.view;

import org.jspecify.annotations.NullMarked;
