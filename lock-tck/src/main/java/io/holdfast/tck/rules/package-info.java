/**
 * What every store has to do when its verbs are called, one interface a topic, one test a rule. An
 * adapter's author reads the interfaces of this package as the specification; {@link
 * io.holdfast.tck.HoldfastTck} runs them.
 *
 * <p>The rules hold on slow machines: nothing is assumed to be still in its lease unless that is
 * many seconds, or the measured time shows it.
 */
@NullMarked
package io.holdfast.tck.rules;

import org.jspecify.annotations.NullMarked;
