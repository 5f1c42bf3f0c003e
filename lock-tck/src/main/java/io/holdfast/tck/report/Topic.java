package io.holdfast.tck.report;

import io.holdfast.tck.claim.Level;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/** The topic of the {@link Rule}s of one interface. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@ExtendWith(KitReporter.class)
public @interface Topic {

  /** Returns the letters in the ids of its rules: {@code REV} in {@code HF-REV-07}. */
  String value();

  /** Returns what a store must let tests do to it so that these rules can be shown. */
  Level level();

  /** Returns where the contract says what they test: a verb, or a section of a document. */
  String clause();
}
