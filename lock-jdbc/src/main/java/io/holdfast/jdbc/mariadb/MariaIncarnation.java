package io.holdfast.jdbc.mariadb;

/**
 * The incarnation of a server, and of its data.
 *
 * @param data which server it is and when it was first seen: it ends where grants may have been
 *     lost
 * @param server when the server was started, in seconds
 */
record MariaIncarnation(String data, String server) {

  /** Two clients that ask for a server's start may get answers that differ by so many seconds. */
  static final long TOLERANCE = 2;

  /** Returns the first incarnation of a server. */
  static MariaIncarnation first(String place, long started) {
    return new MariaIncarnation(place + "/" + started, Long.toString(started));
  }

  /**
   * Returns which life this is, as it was recorded, now that a server is seen.
   *
   * @param place its host and port, and its id
   * @param started when it was started, in seconds
   * @param durable whether it loses nothing when it is started again
   */
  MariaIncarnation next(String place, long started, boolean durable) {
    if (!data.startsWith(place + "/")) {
      return first(place, started);
    }
    if (Math.abs(Long.parseLong(server) - started) <= TOLERANCE) {
      return this;
    }
    return durable ? new MariaIncarnation(data, Long.toString(started)) : first(place, started);
  }

  /** Returns whether the server was only started again since, and has lost nothing by that. */
  boolean isRestartOf(MariaIncarnation former) {
    return data.equals(former.data) && !server.equals(former.server);
  }
}
