/**
 * A network that fails as a test wants it to. A {@link io.holdfast.tck.network.NetworkProxy} stands
 * between clients and a server; a {@link io.holdfast.tck.network.Framing} for each wire protocol
 * tells it where a message ends, so that one can be lost or come twice.
 */
@NullMarked
package io.holdfast.tck.network;

import org.jspecify.annotations.NullMarked;
