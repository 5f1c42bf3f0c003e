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
    String text = "%s ± %s %%".formatted(number(2, ratio.median()), number(0, ratio.spread() * 50));
    return ratio.usable() ? text : "(" + text + ")";
  }
}
