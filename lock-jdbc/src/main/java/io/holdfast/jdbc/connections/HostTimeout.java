package io.holdfast.jdbc.connections;

import io.holdfast.spi.Deadline;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The time that a driver may spend on each host of a URL. A driver tries the hosts one after the
 * other, so a host that accepts a connection and never answers must leave time for the next.
 */
public final class HostTimeout {

  private static final Pattern HOSTS = Pattern.compile("//([^/?]*)");

  private HostTimeout() {}

  /** Returns the time in milliseconds, at least one. */
  public static int millis(String url, Deadline deadline) {
    return Math.max(1, deadline.remainingMillis() / hosts(url));
  }

  private static int hosts(String url) {
    Matcher found = HOSTS.matcher(url);
    return found.find() ? found.group(1).split(",").length : 1;
  }
}
