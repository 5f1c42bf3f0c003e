package io.holdfast.tck.report;

import io.holdfast.tck.claim.Claim;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The claims of a store that a test would refute if they were not so. On rules of the kit, and on
 * tests of an adapter's own where no rule can try it; the report names them. A claim is proved by
 * the rules of one topic, or by the tests of one class of an adapter's own, when none of them
 * failed and each that is {@linkplain #isNeeded needed} has passed or does not apply.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Proves {

  /** Returns the claims. */
  Claim[] value();

  /** Returns whether the claims are open while this test has shown nothing. */
  boolean isNeeded() default true;
}
