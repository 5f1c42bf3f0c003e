/**
 * The clients of a run: how they are connected, what they write down of each call, and the fenced
 * registers that holders of a lock write to.
 *
 * <p>An adapter's test may implement {@link io.holdfast.tck.process.client.ClientSource}; all else
 * is internal. Depends on {@code history}.
 */
@NullMarked
package io.holdfast.tck.process.client;

import org.jspecify.annotations.NullMarked;
