package io.holdfast.engine.session;

import io.holdfast.spi.answer.Contention;
import java.time.Instant;

/**
 * The store's answer about a request that it has granted.
 *
 * @param askedNanos when the question was sent
 */
public record Granted(long number, Instant since, Contention contention, long askedNanos) {

  public Granted withContention(Contention other) {
    return new Granted(number, since, other, askedNanos);
  }
}
