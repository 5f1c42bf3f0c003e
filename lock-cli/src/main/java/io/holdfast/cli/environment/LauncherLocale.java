package io.holdfast.cli.environment;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Restores the locale that the user had before the launcher changed it. The launcher starts the JVM
 * with {@code LC_ALL=C.UTF-8}. In the locale "C", which cron sets, a JVM would replace every
 * non-ASCII character in lock names and in the arguments of the user's command by a question mark.
 * The user's command gets the original {@code LC_ALL}.
 */
public final class LauncherLocale {

  /** Set by the launcher: {@code =VALUE} or, if there was none, empty. */
  private static final String PROPERTY = "holdfast.lc_all";

  private LauncherLocale() {}

  public static void restore(Map<String, String> environment) {
    restore(environment, System.getProperty(PROPERTY));
  }

  public static void restore(Map<String, String> environment, @Nullable String before) {
    if (before == null) {
      return;
    }
    if (before.isEmpty()) {
      environment.remove("LC_ALL");
    } else {
      environment.put("LC_ALL", before.substring(1));
    }
  }
}
