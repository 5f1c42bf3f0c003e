package io.holdfast.jdbc.connections;

import io.holdfast.spi.Deadline;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The hosts that a URL names, of which one is the server. A driver tries them one after the other,
 * and tells only why the last one did not let it in: that may be one that is down, while the server
 * has refused the password. So a login that has failed everywhere is made again at each host alone.
 */
public final class Hosts {

  private static final Pattern NAMED = Pattern.compile("//([^/?]*)");

  /** Hosts that are written as names or addresses, with or without a port. */
  private static final Pattern SEVERAL =
      Pattern.compile("([^/]*//)((?:[\\w.:\\[\\]-]+,)+[\\w.:\\[\\]-]+)(/.*)");

  /** A host that has less time cannot answer. */
  private static final int LEAST_MILLIS = 500;

  private static final String CONNECTION_FAILED = "08";

  /** One login by a driver. */
  public interface Login {

    /**
     * Connects.
     *
     * @param millis the time that each host of the URL has, at least one
     */
    Connection at(String url, int millis) throws SQLException;
  }

  private Hosts() {}

  /**
   * Connects to the host that the driver chooses. A host that accepts a connection and never
   * answers leaves time for the next, and for the calls of the one that connects.
   *
   * @param leastMillis the time that a login gets in any case: one that comes too late is for the
   *     next call. Several hosts share it, so that each has its turn by the deadline
   * @throws SQLException if no host lets us in: with what a host has answered, if one has
   */
  public static Connection connect(String url, Deadline deadline, int leastMillis, Login login)
      throws SQLException {
    int hosts = named(url);
    Matcher several = SEVERAL.matcher(url);
    boolean canRepeat = several.matches();
    // Half of the time stays, for the repetition or for the use of the connection.
    int shares = canRepeat ? 2 * hosts : hosts;
    try {
      return login.at(url, share(deadline, shares, leastMillis, hosts));
    } catch (SQLException e) {
      if (isAnswer(e) || !canRepeat || deadline.remainingMillis() < LEAST_MILLIS * hosts) {
        throw e;
      }
      List<String> urls =
          Stream.of(several.group(2).split(",", -1))
              .map(host -> several.group(1) + host + several.group(3))
              .toList();
      return connectOneByOne(urls, deadline, leastMillis, login);
    }
  }

  private static int named(String url) {
    Matcher found = NAMED.matcher(url);
    return found.find() ? found.group(1).split(",", -1).length : 1;
  }

  private static boolean isAnswer(SQLException failure) {
    return failure.getSQLState() != null && !failure.getSQLState().startsWith(CONNECTION_FAILED);
  }

  private static int share(Deadline deadline, int shares, int leastMillis, int hosts) {
    int left = deadline.remainingMillis();
    int least = Math.min(leastMillis, Math.max(leastMillis, left) / hosts);
    return Math.max(1, Math.max(least, left / shares));
  }

  private static Connection connectOneByOne(
      List<String> urls, Deadline deadline, int leastMillis, Login login) throws SQLException {
    List<SQLException> failures = new ArrayList<>();
    for (String url : urls) {
      int left = urls.size() - failures.size();
      try {
        return login.at(url, share(deadline, left, leastMillis, left));
      } catch (SQLException e) {
        failures.add(e);
      }
    }
    throw together(urls, failures);
  }

  /** Has the state and the number of a host that has answered, by which failures are translated. */
  private static SQLException together(List<String> urls, List<SQLException> failures) {
    SQLException telling =
        failures.stream().filter(Hosts::isAnswer).findFirst().orElse(failures.get(0));
    List<String> reasons = new ArrayList<>();
    for (int i = 0; i < urls.size(); i++) {
      reasons.add(DatabaseName.ofUrl(urls.get(i)) + ": " + failures.get(i).getMessage());
    }
    return new SQLException(
        String.join("; ", reasons), telling.getSQLState(), telling.getErrorCode(), telling);
  }
}
