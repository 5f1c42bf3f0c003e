/**
 * Runs a command while a lock is held, and sees to it that the command does not outlive the hold.
 *
 * <p>{@link io.holdfast.cli.run.LockedRun} is the loop: it hears of the command's end, of signals
 * and of the loss of the grant, and asks {@link io.holdfast.cli.run.LeaseWatch} what the lease
 * demands. {@link io.holdfast.cli.run.CommandGroup} is the command's process group, {@link
 * io.holdfast.cli.run.Keeper} the process that ends it if this one cannot.
 *
 * <p>Needs Linux: {@code /proc}, bash and {@code setsid}.
 */
@NullMarked
package io.holdfast.cli.run;

import org.jspecify.annotations.NullMarked;
