/** What a grant is worth while it is held: its times, its mode, who may take it, how it is lost. */
@NullMarked
package io.holdfast.memory.hold;

import org.jspecify.annotations.NullMarked;
