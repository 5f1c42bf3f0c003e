/**
 * The {@code holdfast} command: {@link io.holdfast.cli.Main} reads the arguments and starts a
 * subcommand: by itself where they are plain, by {@link io.holdfast.cli.ParsedCommand} else.
 *
 * <ul>
 *   <li>{@link io.holdfast.cli.commands}: one class for each subcommand.
 *   <li>{@link io.holdfast.cli.run}: runs another command under a lock.
 *   <li>{@link io.holdfast.cli.store}: which store is used.
 *   <li>{@link io.holdfast.cli.waiting}: how long to wait.
 *   <li>{@link io.holdfast.cli.output}: the output, and exit codes.
 *   <li>{@link io.holdfast.cli.environment}: the process's surroundings.
 *   <li>{@link io.holdfast.cli.adapters}: which adapters there are, without a search.
 * </ul>
 *
 * <p>Depends on {@code io.holdfast} and {@code io.holdfast.spi}, never on the engine or an adapter.
 */
@NullMarked
package io.holdfast.cli;

import org.jspecify.annotations.NullMarked;
