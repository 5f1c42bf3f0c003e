package io.holdfast.tck.report;

import io.holdfast.tck.claim.Claim;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The adapter and store that a test class proves. Test classes that name the same one add to one
 * report: that which runs the whole kit, and others that try some rules, or have tests of their own
 * that {@linkplain Proves prove} something, where a store is another or can be made to do more.
 *
 * <p>The class that names it also says what remains unproved: a claim which no test could refute,
 * and which is not named here, fails the kit.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(KitReporter.class)
public @interface Adapter {

  /** Returns the name of adapter and store in the report. */
  String value();

  /** Returns the other test classes that prove what the one that runs the whole kit cannot. */
  Class<?>[] provedBy() default {};

  /** Returns the claims that no test proves. */
  Claim[] notProved() default {};
}
