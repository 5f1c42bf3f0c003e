/**
 * One class for each subcommand of {@code holdfast}, {@link
 * io.holdfast.cli.commands.HoldfastCommand}, which lists them. Depends on every other package of
 * the command but {@code io.holdfast.cli}, which alone depends on it. Internal.
 */
@NullMarked
package io.holdfast.cli.commands;

import org.jspecify.annotations.NullMarked;
