package io.holdfast.jdbc;

/**
 * An uninterrupted life of a server, and of its data.
 *
 * @param life the place of the server and when it was first seen there: it ends where grants may
 *     have been lost
 * @param incarnation when the server was started, in seconds
 */
record MariaLife(String life, String incarnation) {

  /** Two who ask when a server was started may get answers that differ by so many seconds. */
  static final long TOLERANCE = 2;

  /** Returns the first life of a server at a place. */
  static MariaLife first(String place, long started) {
    return new MariaLife(place + "/" + started, Long.toString(started));
  }

  /**
   * Returns which life this is, as it was recorded, now that a server is seen.
   *
   * @param place its host and port
   * @param started when it was started, in seconds
   * @param durable whether it loses nothing when it is started again
   */
  MariaLife next(String place, long started, boolean durable) {
    if (!life.startsWith(place + "/")) {
      return first(place, started);
    }
    if (Math.abs(Long.parseLong(incarnation) - started) <= TOLERANCE) {
      return this;
    }
    return durable ? new MariaLife(life, Long.toString(started)) : first(place, started);
  }
}
