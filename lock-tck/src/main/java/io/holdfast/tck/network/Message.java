package io.holdfast.tck.network;

import io.holdfast.tck.network.Framing.Part;

/**
 * A message that is about to be passed on, or a piece of one.
 *
 * @param direction which way it goes
 * @param part which part of the exchange it is
 * @param text its bytes, each as the character of that number
 */
public record Message(Direction direction, Part part, String text) {

  /** Returns whether this is a request, and answered with one answer. */
  public boolean isRequest() {
    return direction == Direction.TO_SERVER && part == Part.FIRST;
  }

  /** Returns whether an answer begins with this. */
  public boolean isAnswer() {
    return direction == Direction.TO_CLIENT && part == Part.FIRST;
  }
}
