/**
 * The checker of histories: {@link io.holdfast.tck.history.check.HistoryChecker} returns a {@link
 * io.holdfast.tck.history.check.Violation} for everything that must not happen, with the events
 * that show it. It only concludes what follows from the instants around a call, never from where
 * within the call something happened. Depends on {@code history}.
 */
@NullMarked
package io.holdfast.tck.history.check;

import org.jspecify.annotations.NullMarked;
