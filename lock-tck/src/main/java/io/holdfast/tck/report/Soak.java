package io.holdfast.tck.report;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * A rule that does for long what others do for a short time. It runs where the system property
 * {@code holdfast.tck.soak} is {@code true}, and nothing is unproved without it.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Tag("soak")
@EnabledIfSystemProperty(
    named = Soak.PROPERTY,
    matches = "true",
    disabledReason = "A soak rule: -Dholdfast.tck.soak=true runs it.")
public @interface Soak {

  /** The name of the system property. */
  String PROPERTY = "holdfast.tck.soak";

  /** Whether the property is {@code true}: then other rules try more, too. */
  boolean REQUESTED = Boolean.getBoolean(PROPERTY);
}
