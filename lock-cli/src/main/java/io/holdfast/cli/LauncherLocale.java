package io.holdfast.cli;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The launcher starts the JVM with {@code LC_ALL=C.UTF-8}, because a JVM in the locale "C", which
 * is what cron gives, puts question marks for every letter that is not English, in names of locks
 * as in the arguments of the user's command. The command gets what there was before.
 */
final class LauncherLocale {

  /** Set by the launcher: {@code =VALUE} or, if there was none, empty. */
  private static final String PROPERTY = "holdfast.lc_all";

  private LauncherLocale() {}

  static void restore(Map<String, String> environment) {
    restore(environment, System.getProperty(PROPERTY));
  }

  static void restore(Map<String, String> environment, @Nullable String before) {
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
