package io.holdfast.cli.environment;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Restores the variables that the user had before the launcher changed them; the user's command
 * gets these.
 *
 * <p>The launcher starts the JVM with {@code LC_ALL=C.UTF-8}. In the locale "C", which cron sets, a
 * JVM would replace every non-ASCII character in lock names and in the arguments of the user's
 * command by a question mark. And it sets aside the options for Java programs, which may keep this
 * one from starting.
 */
public final class LauncherVariables {

  /** Set by the launcher: {@code =VALUE} or, if there was none, empty. */
  private static final String LOCALE_PROPERTY = "holdfast.lc_all";

  /** The launcher puts this in front of the name of a variable that it sets aside. */
  private static final String ASIDE = "HOLDFAST_USERS_";

  private static final List<String> OPTIONS =
      List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS");

  private LauncherVariables() {}

  public static void restore(Map<String, String> environment) {
    restoreLocale(environment, System.getProperty(LOCALE_PROPERTY));
    for (String name : OPTIONS) {
      String before = environment.remove(ASIDE + name);
      if (before != null) {
        environment.put(name, before);
      }
    }
  }

  public static void restoreLocale(Map<String, String> environment, @Nullable String before) {
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
