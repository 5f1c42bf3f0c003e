/**
 * Rules that need many clients at once, in this JVM and in others that are killed and paused.
 *
 * <p>An adapter's test implements {@link io.holdfast.tck.process.ConcurrencyRules} and {@link
 * io.holdfast.tck.process.CrashRules} and tells them how to reach its store with a {@link
 * io.holdfast.tck.process.ProcessSubject}. Every rule is one run: clients do their work on locks of
 * its own and write down what they see, and in the end the history is checked. The random choices
 * of a run can be repeated: a failure names the seed.
 *
 * <p>Depends on {@code process.actor}, {@code process.client}, {@code history.check}, {@code
 * network} and {@code report}.
 */
@NullMarked
package io.holdfast.tck.process;

import org.jspecify.annotations.NullMarked;
