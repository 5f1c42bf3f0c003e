/**
 * The actors of a run: they obey commands, in this JVM or in a child, and report what comes of
 * them. A child reads commands from its standard input and ends with it, so no child outlives the
 * test.
 *
 * <p>Internal. Depends on {@code process.client}, {@code history} and {@code server}.
 */
@NullMarked
package io.holdfast.tck.process.actor;

import org.jspecify.annotations.NullMarked;
