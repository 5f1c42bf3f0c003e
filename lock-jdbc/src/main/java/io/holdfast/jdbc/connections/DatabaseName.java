package io.holdfast.jdbc.connections;

import java.util.regex.Pattern;

/** The name of a database in messages, without credentials. */
public final class DatabaseName {

  /**
   * The parts of a URL that may hold a password: parameters, properties of a host, and the user.
   */
  private static final Pattern PRIVATE =
      Pattern.compile("^jdbc:|(?<=//)[^/]*@|\\([^)]*\\)|[?;].*$");

  private DatabaseName() {}

  /** Returns the part of a URL that identifies the database. */
  public static String ofUrl(String url) {
    return PRIVATE.matcher(url).replaceAll("");
  }
}
