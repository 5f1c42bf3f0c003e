/**
 * Sessions: their leases and heartbeats, how their requests stand in the store, and what becomes of
 * them when the client closes. A session knows the requests that live by it as {@code
 * SessionRequest} and {@code SessionHold} alone.
 *
 * <p>May use {@code engine.turn} and {@code engine.seam}, and no other package of the engine.
 */
@NullMarked
package io.holdfast.engine.session;

import org.jspecify.annotations.NullMarked;
