package io.holdfast.benchmarks.part;

import io.holdfast.benchmarks.comparison.Spread;
import java.util.Locale;

/** How figures are written in the cells of a table. */
final class Cells {

  private Cells() {}

  /** Returns a number with so many digits behind the point. */
  static String number(int digits, double value) {
    return String.format(Locale.ROOT, "%." + digits + "f", value);
  }

  /** Returns a ratio with half its spread, in brackets if it is not usable. */
  static String ratio(Spread ratio) {
    return spread(2, ratio.median(), ratio);
  }

  /** Returns microseconds as nanoseconds, in the same way. */
  static String nanos(Spread micros) {
    return spread(0, micros.median() * 1e3, micros);
  }

  private static String spread(int digits, double median, Spread of) {
    String text = "%s ± %s %%".formatted(number(digits, median), number(0, of.spread() * 50));
    return of.usable() ? text : "(" + text + ")";
  }
}
