package io.holdfast.tck.report;

import io.holdfast.tck.claim.Facts;
import java.util.Optional;

/** A test class that tells the report about the store under test. */
@FunctionalInterface
public interface FactsSource {

  /** Returns the known facts of the store; empty while nothing has connected to it. */
  Optional<Facts> facts();
}
