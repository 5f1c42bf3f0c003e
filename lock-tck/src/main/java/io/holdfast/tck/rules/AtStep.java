package io.holdfast.tck.rules;

/** Does something before one of the atomic steps of a verb. Used by one thread. */
final class AtStep implements Runnable {

  /** What a client throws that dies between two steps. */
  @SuppressWarnings("serial")
  static final class ClientDied extends RuntimeException {
    ClientDied() {
      super("The client died here, as the test wanted.");
    }
  }

  private int stepsLeft;
  private Runnable action = () -> {};
  private boolean reached;
  private int stepsSince;

  /** From now on, the action is done before the so-manieth step, 1 being the next. */
  void arm(int step, Runnable action) {
    this.stepsLeft = step;
    this.action = action;
    this.reached = false;
    this.stepsSince = 0;
  }

  /** Returns whether the step was reached; the action is not done any more. */
  boolean disarm() {
    stepsLeft = 0;
    return reached;
  }

  /** Returns how many steps were begun after that one. */
  int stepsSince() {
    return stepsSince;
  }

  @Override
  public void run() {
    if (reached) {
      stepsSince++;
    }
    if (stepsLeft > 0 && --stepsLeft == 0) {
      reached = true;
      action.run();
    }
  }
}
