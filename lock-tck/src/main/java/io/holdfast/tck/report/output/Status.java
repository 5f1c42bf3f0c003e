package io.holdfast.tck.report.output;

/** How a rule, a claim or a level ended. The greatest of several, in this order, is the worst. */
public enum Status {
  /** It held. */
  PASSED("PASSED"),
  /** It is about something that this store neither claims nor has. That is no gap. */
  NOT_APPLICABLE("does not apply"),
  /** Nothing was shown: the store cannot be made to do what it takes, or the test was not run. */
  NOT_PROVED("NOT PROVED"),
  /** It did not hold. */
  FAILED("FAILED");

  private final String words;

  Status(String words) {
    this.words = words;
  }

  @Override
  public String toString() {
    return words;
  }
}
