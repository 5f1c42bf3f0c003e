package io.holdfast.etcd.connection;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of a member, as in {@code 3.5.13}. */
record EtcdVersion(int major, int minor, int patch) {

  private static final Pattern FORM = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})\\.(\\d{1,6}).*");

  /** Reads a version; empty if it is not told in the form that we know. */
  static Optional<EtcdVersion> parse(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Optional.of(new EtcdVersion(number(form, 1), number(form, 2), number(form, 3)))
        : Optional.empty();
  }

  private static int number(Matcher form, int group) {
    return Integer.parseInt(form.group(group));
  }

  /**
   * Returns whether a leader of this version that was replaced can revoke leases that its successor
   * has renewed.
   */
  boolean revokesRenewedLeases() {
    if (major != 3) {
      return major < 3;
    }
    return switch (minor) {
      case 4 -> patch < 31;
      case 5 -> patch < 13;
      default -> minor < 4;
    };
  }

  @Override
  public String toString() {
    return "%s.%s.%s".formatted(major, minor, patch);
  }
}
