/**
 * The duties of every store when its verbs are called: one interface a topic, one test a rule, the
 * topics sorted into the sub-packages. The author of an adapter reads these interfaces as the
 * specification; {@link io.holdfast.tck.HoldfastTck} runs them.
 *
 * <p>The rules hold on slow machines: no rule assumes that a lease still lasts unless the lease has
 * many seconds, or the measured time shows it.
 */
@NullMarked
package io.holdfast.tck.rules;

import org.jspecify.annotations.NullMarked;
