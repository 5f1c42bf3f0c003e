/**
 * Rules that need many clients at once, in this JVM and in others that are killed and paused.
 *
 * <p>An adapter's test implements {@link io.holdfast.tck.process.ConcurrencyRules} and {@link
 * io.holdfast.tck.process.CrashRules} and tells them how to reach its store with a {@link
 * io.holdfast.tck.process.ProcessSubject}. Every rule is one trial: clients do their work on locks
 * of its own and write down what they see, and in the end the history is checked.
 *
 * <p>A process of a trial is an {@code Actor} that obeys commands: the test's own JVM, or a child
 * that reads them from its standard input. A child ends with its input, so none outlives the test.
 * What random choices were made can be repeated: a failure names the seed.
 */
@NullMarked
package io.holdfast.tck.process;

import org.jspecify.annotations.NullMarked;
