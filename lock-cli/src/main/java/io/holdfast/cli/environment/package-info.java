/**
 * The surroundings of the command: environment variables, streams, the terminal, the raw arguments,
 * the identity of this process, and the way to connect to a store. Depends on {@code io.holdfast}
 * and {@link io.holdfast.cli.adapters}. Internal.
 */
@NullMarked
package io.holdfast.cli.environment;

import org.jspecify.annotations.NullMarked;
