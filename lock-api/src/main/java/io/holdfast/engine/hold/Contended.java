package io.holdfast.engine.hold;

import io.holdfast.spi.answer.Contention;

/**
 * This client's knowledge of other clients' requests behind a number. It knows that none waits only
 * from an answer of the store that said so, for two heartbeats after the question was sent. A hint
 * ends that knowledge, and only an answer to a question that was sent after the hint restores it. A
 * number of which it does not know that counts as contended.
 */
final class Contended {

  private Contention answer = Contention.NOT_KNOWN;
  private long askedNanos;

  /** Answers to earlier questions prove nothing. */
  private long notBeforeNanos;

  /** Begins with the answer that told of the grant. */
  Contended(Contention contention, long askedNanos) {
    this.notBeforeNanos = askedNanos;
    answered(contention, askedNanos);
  }

  /** The store has answered a question that was sent then. */
  void answered(Contention contention, long sentNanos) {
    if (sentNanos - notBeforeNanos < 0 || contention == Contention.NOT_KNOWN) {
      return;
    }
    notBeforeNanos = sentNanos;
    askedNanos = sentNanos;
    answer = contention;
  }

  /** The store has hinted that another may wait. */
  void hinted(long nowNanos) {
    answer = Contention.NOT_KNOWN;
    notBeforeNanos = nowNanos;
  }

  boolean isKnownToBeNobody(long nowNanos, long heartbeatNanos) {
    return answer == Contention.NOBODY_WAITS && nowNanos - askedNanos <= 2 * heartbeatNanos;
  }

  /** Whether the last answer named a waiter, and nothing has changed since as far as is known. */
  boolean isKnownToBeSomebody() {
    return answer == Contention.SOMEBODY_WAITS;
  }
}
