package io.holdfast.tck.store;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A rule that uses one of these controls. On a server whose other users notice what the control
 * does ({@link SharedServer}), the rule runs alone; all other rules run side by side.
 *
 * <p>Those that are alone run one after the other in one thread. Else most threads would wait, each
 * with such a rule, for the server to be theirs, and the few that are left would share the work.
 */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Execution(ExecutionMode.SAME_THREAD)
public @interface Disturbs {

  /** Returns the controls. */
  Class<?>[] value();
}
