package io.holdfast.mongo;

import io.holdfast.error.BadRequestException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The database and the collections that hold the locks. Clients that compete for the same locks
 * must use the same names.
 *
 * <p>The longest collection is named by the prefix and nine letters more. If its name and that of
 * the database, with a dot between them, have more than 120 bytes (100 if the collections are
 * sharded), take a server of version 4.4 or later, with the features of that version.
 *
 * @param database the database, of fewer than 64 bytes in UTF-8; not one of MongoDB itself
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

  private static final int DATABASE_BYTES_END = 64;

  private static final Pattern DATABASE = Pattern.compile("[^/\\\\. \"$*<>:|?\\x00]+");
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
    if (database.getBytes(StandardCharsets.UTF_8).length >= DATABASE_BYTES_END) {
      throw new BadRequestException(
          "The name of a MongoDB database has fewer than %s bytes in UTF-8; this one has more than that allows: %s"
              .formatted(DATABASE_BYTES_END, database));
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
