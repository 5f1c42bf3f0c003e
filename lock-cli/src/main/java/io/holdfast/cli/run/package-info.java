/**
 * Runs a command while a lock is held, and makes sure that the command ends before the lease does.
 *
 * <p>{@link io.holdfast.cli.run.LockedRun} is the loop. It receives events (the command's end,
 * signals, the loss of the grant) and asks {@link io.holdfast.cli.run.LeaseWatch} what the lease
 * demands. {@link io.holdfast.cli.run.CommandGroup} is the command's process group. {@link
 * io.holdfast.cli.run.Keeper} is the process that kills the group if this process cannot.
 *
 * <p>Needs Linux: {@code /proc}, bash and {@code setsid}.
 */
@NullMarked
package io.holdfast.cli.run;

import org.jspecify.annotations.NullMarked;
