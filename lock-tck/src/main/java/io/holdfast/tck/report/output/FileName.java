package io.holdfast.tck.report.output;

import java.util.Locale;
import java.util.regex.Pattern;

/** Names of files that are made of other names. */
final class FileName {

  private static final Pattern SPECIAL = Pattern.compile("[^A-Za-z0-9._-]");

  private FileName() {}

  /**
   * Returns a file's name for a name: another for each, and the same if it has only plain letters.
   */
  static String of(String name) {
    return SPECIAL
        .matcher(name)
        .replaceAll(
            special ->
                "%"
                    + Integer.toHexString(special.group().codePointAt(0)).toUpperCase(Locale.ROOT)
                    + "_");
  }
}
