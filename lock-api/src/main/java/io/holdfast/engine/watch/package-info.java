/**
 * Watching: reads the state of locks again and again, and tells listeners what has changed.
 *
 * <p>Knows neither gates nor sessions: a watch holds nothing and waits for nothing.
 */
@NullMarked
package io.holdfast.engine.watch;

import org.jspecify.annotations.NullMarked;
