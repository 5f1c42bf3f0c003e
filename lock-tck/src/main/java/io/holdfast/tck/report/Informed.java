package io.holdfast.tck.report;

import java.util.Optional;

/** A test class that can tell the report what store it tries. */
@FunctionalInterface
public interface Informed {

  /** Returns what is known of the store; empty while nothing has connected to it. */
  Optional<Facts> facts();
}
