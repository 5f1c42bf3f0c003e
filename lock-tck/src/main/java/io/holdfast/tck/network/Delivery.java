package io.holdfast.tck.network;

/** How a message is delivered, or not. */
public enum Delivery {
  /** It arrives. */
  PASS,
  /**
   * It does not arrive; if it is an answer, nothing of it does. The connection stays; if its
   * messages do not {@linkplain Framing#messagesStandAlone stand alone}, silent this way for good.
   */
  LOSE,
  /**
   * It arrives twice. The client sees the first answer only, and not before the second is given: a
   * copy that arrives after its answer is none that a network makes. Messages to which there is no
   * answer, and answers, pass, and all those that do not stand alone.
   */
  DOUBLE,
  /** It does not arrive, and its connection is reset. */
  CUT
}
