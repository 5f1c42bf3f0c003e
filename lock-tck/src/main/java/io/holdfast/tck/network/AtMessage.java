package io.holdfast.tck.network;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * A plan for the so-manieth message from now on, of any kind; the others pass. A connection is cut
 * at any piece of an answer too, and while it logs in; only whole messages are lost or doubled.
 */
public final class AtMessage implements Function<Message, Delivery> {

  private final AtomicInteger left;
  private final Delivery delivery;

  /** Makes the plan; 1 is the next message. */
  public AtMessage(int which, Delivery delivery) {
    this.left = new AtomicInteger(which);
    this.delivery = delivery;
  }

  @Override
  public Delivery apply(Message message) {
    boolean counts = delivery == Delivery.CUT || message.isRequest() || message.isAnswer();
    return counts && left.getAndDecrement() == 1 ? delivery : Delivery.PASS;
  }

  /** Returns whether there was such a message. */
  public boolean wasReached() {
    return left.get() <= 0;
  }
}
