/**
 * The server's clock; internal: {@code StoreClock} estimates it, and a {@code ClockReading} tells
 * whether a lease that the server wrote down has passed.
 *
 * <p>Depends on no other package of this adapter.
 */
@NullMarked
package io.holdfast.mongo.clock;

import org.jspecify.annotations.NullMarked;
