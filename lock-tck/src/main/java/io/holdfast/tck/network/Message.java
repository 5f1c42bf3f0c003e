package io.holdfast.tck.network;

import io.holdfast.tck.network.Framing.Part;

/**
 * A message that is about to be passed on, or a piece of one.
 *
 * @param way its direction
 * @param part which part of the exchange it is
 * @param text its bytes, each as the character of that number
 */
public record Message(Way way, Part part, String text) {

  /** Returns whether this is a request, and answered with one answer. */
  public boolean isRequest() {
    return way == Way.TO_SERVER && part == Part.FIRST;
  }

  /** Returns whether an answer begins with this. */
  public boolean isAnswer() {
    return way == Way.TO_CLIENT && part == Part.FIRST;
  }
}
