/**
 * Faults as a client's user sees them: of networks, clocks, servers that hang or lose, and its own
 * earlier life.
 */
@NullMarked
package io.holdfast.tck.client.fault;

import org.jspecify.annotations.NullMarked;
