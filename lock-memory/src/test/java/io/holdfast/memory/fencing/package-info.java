/** The resource's side of a lock, and what the store says of a token. */
@NullMarked
package io.holdfast.memory.fencing;

import org.jspecify.annotations.NullMarked;
