package io.holdfast.tck.report;

import io.holdfast.tck.claim.Level;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A rule of the kit: a test of what every adapter promises. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Rule {

  /**
   * Returns the rule's id, such as {@code HF-REV-07}. It stays when the rule is renamed or moved,
   * and is given to no other rule when this one is gone.
   */
  String value();

  /** Returns the numbers of the rules marked † in ARCHITECTURE.md that it tests. */
  int[] marked() default {};

  /** Returns the level that it belongs to, if that is not its topic's. */
  Level[] level() default {};
}
