/** Elections, as an application uses them. */
@NullMarked
package io.holdfast.memory.election;

import org.jspecify.annotations.NullMarked;
