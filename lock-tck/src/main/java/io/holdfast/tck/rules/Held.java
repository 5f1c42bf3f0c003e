package io.holdfast.tck.rules;

import io.holdfast.spi.Observed;
import io.holdfast.spi.Request;

/**
 * A request that was granted its lock.
 *
 * @param request the request
 * @param number the number of the grant
 */
public record Held(Request request, long number) {

  /** Returns what others can observe of it. */
  public Observed observed() {
    return new Observed(request.name(), number, request.id());
  }
}
