package io.holdfast.engine.hold;

import io.holdfast.spi.answer.Contention;

/**
 * What is known of other clients' requests behind a number. That none waits is known only from an
 * answer of the store that said so, for two heartbeats after the question was sent. A hint ends it,
 * and only an answer to a question that was sent after the hint restores it. What is not known
 * counts as contended.
 */
final class Contended {

  private boolean noneWaited;
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
    noneWaited = contention == Contention.NOBODY_WAITS;
  }

  /** The store has hinted that another may wait. */
  void hinted(long nowNanos) {
    noneWaited = false;
    notBeforeNanos = nowNanos;
  }

  boolean isKnownToBeNobody(long nowNanos, long heartbeatNanos) {
    return noneWaited && nowNanos - askedNanos <= 2 * heartbeatNanos;
  }
}
