package io.holdfast.tck.report;

import java.io.Serial;
import org.opentest4j.TestAbortedException;

/** A rule is about something that this store neither claims nor has. */
public final class NotApplicableException extends TestAbortedException {

  @Serial private static final long serialVersionUID = 1;

  /**
   * Makes one.
   *
   * @param why a sentence that says what the store is instead
   */
  public NotApplicableException(String why) {
    super(why);
  }

  /** Ends a test as one that does not apply, unless something is so. */
  public static void unless(boolean applies, String why) {
    if (!applies) {
      throw new NotApplicableException(why);
    }
  }
}
