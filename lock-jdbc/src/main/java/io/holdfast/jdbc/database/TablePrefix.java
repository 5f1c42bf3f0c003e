package io.holdfast.jdbc.database;

import io.holdfast.error.BadRequestException;
import java.util.regex.Pattern;

/** The beginning of the tables' names. It becomes part of statements as it is. */
public final class TablePrefix {

  public static final String USUAL = "holdfast_";

  /** Short enough that no database cuts off what comes after it. */
  private static final Pattern FORM =
      Pattern.compile("([a-z_][a-z0-9_]{0,62}\\.)?[a-z_][a-z0-9_]{0,39}");

  private TablePrefix() {}

  /**
   * Returns a prefix that may stand in statements.
   *
   * @throws BadRequestException if it may not
   */
  public static String of(String text) {
    if (!FORM.matcher(text).matches()) {
      throw new BadRequestException(
          "The prefix of the tables, \"%s\", must be 1 to 40 lower-case letters, digits and underscores, not beginning with a digit; a schema may stand before it with a dot."
              .formatted(text));
    }
    return text;
  }

  /**
   * Checks a prefix for a database without schemas.
   *
   * @throws BadRequestException if one is named
   */
  public static void requireNoSchema(String prefix) {
    requireNoDot(prefix, "A lock file has no schemas");
  }

  /**
   * Checks a prefix for a database that is told the schema in its URI.
   *
   * @throws BadRequestException if one is named
   */
  public static void requireSchemaInUri(String prefix) {
    requireNoDot(prefix, "The schema of H2 is one of its options (;SCHEMA=LOCKING)");
  }

  private static void requireNoDot(String prefix, String why) {
    if (prefix.contains(".")) {
      throw new BadRequestException(
          "%s, so the prefix of its tables must be without a dot: \"%s\".".formatted(why, prefix));
    }
  }
}
