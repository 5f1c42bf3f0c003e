package io.holdfast.mongo;

import io.holdfast.error.BadRequestException;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The database and the collections that hold the locks. Clients that compete for the same locks
 * must use the same names.
 *
 * @param database the database
 * @param prefix the prefix of the names of the three collections; ASCII letters, digits, {@code _},
 *     {@code -} and dots
 */
public record MongoNames(String database, String prefix) {

  /** The default database. */
  public static final String DATABASE_DEFAULT = "holdfast";

  /** The default prefix of the collections' names. */
  public static final String PREFIX_DEFAULT = "holdfast_";

  /** A member of a set keeps {@code local} to itself; the others are the server's own. */
  private static final Set<String> OF_THE_SERVER = Set.of("local", "admin", "config");

  private static final Pattern DATABASE = Pattern.compile("[^/\\\\. \"$*<>:|?\\x00]{1,63}");
  private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}");

  /**
   * Checks both names.
   *
   * @throws BadRequestException if MongoDB does not allow one of them, or the database is one that
   *     MongoDB has for itself
   */
  public MongoNames {
    if (!DATABASE.matcher(database).matches()) {
      throw new BadRequestException("Not a valid name of a MongoDB database: " + database);
    }
    if (OF_THE_SERVER.contains(database)) {
      throw new BadRequestException(
          "The database \"%s\" is MongoDB's own, and not for locks. Name another one%s."
              .formatted(
                  database,
                  database.equals("admin")
                      ? "; if the user of the URI is in this one, add the option authSource=admin"
                      : ""));
    }
    if (!PREFIX.matcher(prefix).matches() || prefix.startsWith("system.")) {
      throw new BadRequestException(
          "Collections of locks cannot be named with the prefix \"%s\"; take letters, digits, dots, _ and -."
              .formatted(prefix));
    }
  }

  /** Uses the default prefix. */
  public MongoNames(String database) {
    this(database, PREFIX_DEFAULT);
  }
}
