package io.holdfast.tck.store;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Marks a rule that uses one of these controls. If other users of the server would notice what the
 * control does ({@link SharedServer}), the rule runs alone; all other rules run concurrently. If
 * there is a {@link DisturbedServer}, the rule runs alone on that one.
 *
 * <p>Rules that run alone run one after the other in one thread. Otherwise most threads would wait,
 * each with such a rule, for the server, and few threads would be left for the other rules.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Execution(ExecutionMode.SAME_THREAD)
public @interface Disturbs {

  /** Returns the controls. */
  Class<?>[] value();
}
