package io.holdfast.mongo;

import io.holdfast.BadRequestException;
import java.util.regex.Pattern;

/**
 * Where in a deployment the locks are. Clients that shall compete must be given the same.
 *
 * @param database the database
 * @param prefix what the names of the three collections begin with; ASCII letters, digits, {@code
 *     _}, {@code -} and dots
 */
public record MongoNames(String database, String prefix) {

  /** The database where no other is named. */
  public static final String DATABASE_DEFAULT = "holdfast";

  /** What the collections' names begin with where nothing else was said. */
  public static final String PREFIX_DEFAULT = "holdfast_";

  private static final Pattern DATABASE = Pattern.compile("[^/\\\\. \"$*<>:|?\\x00]{1,63}");
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}");

  /**
   * Checks the names.
   *
   * @throws BadRequestException if one cannot be used
   */
  public MongoNames {
    if (!DATABASE.matcher(database).matches()) {
      throw new BadRequestException("Not a name for a MongoDB database: " + database);
    }
    if (!PREFIX.matcher(prefix).matches() || prefix.startsWith("system.")) {
      throw new BadRequestException(
          "Collections of locks cannot be named with the prefix \"%s\"; take letters, digits, dots, _ and -."
              .formatted(prefix));
    }
  }

  /** Makes names with the default prefix. */
  public MongoNames(String database) {
    this(database, PREFIX_DEFAULT);
  }

  String collection(Part part) {
    return prefix + part.suffix;
  }

  /** The collections. */
  enum Part {
    LOCKS("locks"),
    SESSIONS("sessions"),
    NAMESPACE("namespace");

    private final String suffix;

    Part(String suffix) {
      this.suffix = suffix;
    }
  }
}
