package io.holdfast.jdbc;

import java.util.regex.Pattern;

/** How a database is called in messages. */
final class DatabaseName {

  /** Parameters, properties of a host, and user, with whom there may be a password. */
  private static final Pattern PRIVATE =
      Pattern.compile("^jdbc:|(?<=//)[^/]*@|\\([^)]*\\)|[?;].*$");

  private DatabaseName() {}

  /** Returns what tells a database from others in its URL. */
  static String ofUrl(String url) {
    return PRIVATE.matcher(url).replaceAll("");
  }
}
