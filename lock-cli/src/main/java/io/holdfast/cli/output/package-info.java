/**
 * The output of the command: messages, JSON, records of locks, durations, advice on errors, and
 * exit codes. Depends on {@code io.holdfast}, {@link io.holdfast.cli.run} and {@link
 * io.holdfast.cli.environment}. Internal.
 */
@NullMarked
package io.holdfast.cli.output;

import org.jspecify.annotations.NullMarked;
