/**
 * How long the command waits, for a lock and for a store that cannot be reached. Depends on {@link
 * io.holdfast.cli.output}. Internal.
 */
@NullMarked
package io.holdfast.cli.waiting;

import org.jspecify.annotations.NullMarked;
