package io.holdfast.cli.environment;

import java.util.Optional;

/** The terminal that shows the standard output, if it leads to one. */
@FunctionalInterface
public interface Screen {

  /**
   * How much fits on it.
   *
   * @param columns characters on a line, positive
   * @param lines positive
   */
  record Size(int columns, int lines) {}

  /** Returns its size now; empty if standard output does not lead to a terminal. */
  Optional<Size> size();
}
