/** The {@code holdfast} command: one class for each subcommand. */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
