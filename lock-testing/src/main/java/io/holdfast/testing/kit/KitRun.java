package io.holdfast.testing.kit;

import io.holdfast.tck.store.TckStore;
import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.opentest4j.TestAbortedException;

/**
 * Runs some tests of the kit on a store, and tells how each ended. It runs them itself: JUnit takes
 * longer to find a test among all those of the kit than most tests take.
 */
public final class KitRun {

  /** How a test ended. */
  public enum Outcome {
    PASSED,
    FAILED,
    SKIPPED
  }

  /**
   * How a test ended, and why.
   *
   * @param cause what it has thrown
   */
  public record Ending(Outcome outcome, Optional<Throwable> cause) {}

  private KitRun() {}

  /** Returns the outcomes of the tests, given and told as {@code Rules.test}. */
  public static Map<String, Outcome> of(Supplier<TckStore> store, Collection<String> tests) {
    Map<String, Outcome> outcomes = new TreeMap<>();
    endings(store, tests).forEach((test, ending) -> outcomes.put(test, ending.outcome()));
    return outcomes;
  }

  /** Returns how the tests ended, given and told as {@code Rules.test}. */
  public static Map<String, Ending> endings(Supplier<TckStore> store, Collection<String> tests) {
    Map<String, Ending> endings = new TreeMap<>();
    for (String test : tests) {
      endings.put(test, ending(new SubjectOfKit(store), rule(test)));
    }
    return endings;
  }

  private static Method rule(String test) {
    try {
      return SubjectOfKit.class.getMethod(test.substring(test.indexOf('.') + 1));
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException("The kit has no test " + test, e);
    }
  }

  private static Ending ending(SubjectOfKit subject, Method rule) {
    try {
      subject.execute(rule);
      return new Ending(Outcome.PASSED, Optional.empty());
    } catch (TestAbortedException e) {
      return new Ending(Outcome.SKIPPED, Optional.of(e));
    } catch (Throwable e) { // As JUnit does.
      return new Ending(Outcome.FAILED, Optional.of(e));
    }
  }
}
