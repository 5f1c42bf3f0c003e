package io.holdfast.jdbc;

import io.holdfast.spi.Attempt;
import io.holdfast.spi.Released;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The statements that change one row and tell, in the same round trip, what has become of it.
 * Databases have different ways to tell it.
 */
interface Answers {

  /** What a renewed session's row says. */
  record Alive(long ttl, String notices, long renewed) {}

  /** Returns when the session was opened; empty if its id was used before. */
  Optional<Instant> openSession(Link link, Map<String, ?> parameters) throws SQLException;

  /**
   * Returns what the session's row says after its renewal; empty if it is not there.
   *
   * @param parameters its {@code :ttl} is what this client knows of it, 0 if nothing
   */
  Optional<Alive> renew(Link link, Map<String, ?> parameters) throws SQLException;

  /** Returns that the request holds or waits; empty if it takes a look at the record to tell. */
  Optional<Attempt> grab(Link link, Map<String, ?> parameters) throws SQLException;

  /** Returns that the request holds; empty if it takes a look at the record to tell. */
  Optional<Attempt> overtake(Link link, Map<String, ?> parameters) throws SQLException;

  /** Returns what leaving has done. */
  Released release(Link link, Map<String, ?> parameters) throws SQLException;

  /**
   * Returns in how many microseconds the revocation is due; empty if the observed head is not in
   * place.
   */
  Optional<Long> markRevoked(Link link, Map<String, ?> parameters) throws SQLException;
}
