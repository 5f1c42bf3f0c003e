/**
 * The {@code holdfast} command: {@link io.holdfast.cli.Main}, one class for each subcommand, and
 * what they share. How a command is run under a lock is in {@link io.holdfast.cli.run}.
 */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
