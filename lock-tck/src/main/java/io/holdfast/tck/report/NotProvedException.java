package io.holdfast.tck.report;

import java.io.Serial;
import org.opentest4j.TestAbortedException;

/** A rule could not be tried: a test cannot make this store do what it takes. */
public final class NotProvedException extends TestAbortedException {

  @Serial private static final long serialVersionUID = 1;

  /**
   * Makes one.
   *
   * @param why a sentence that names the missing proof
   */
  public NotProvedException(String why) {
    super(why);
  }
}
