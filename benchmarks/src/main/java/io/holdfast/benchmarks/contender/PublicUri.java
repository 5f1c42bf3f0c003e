package io.holdfast.benchmarks.contender;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a report tells of a store's URI: no login and no password. */
public final class PublicUri {

  private static final Pattern LOGIN = Pattern.compile("//[^/@]*@");
  private static final Pattern PASSWORD =
      Pattern.compile("(?i)(\\w*(?:pass|pwd|secret|token)\\w*)=[^&;]*");

  /** H2 has them behind a semicolon. */
  private static final Pattern OPTIONS = Pattern.compile("[?;](.*)");

  private PublicUri() {}

  /** Returns a text of the command line without logins and passwords. */
  public static String of(String text) {
    String withoutLogin = LOGIN.matcher(text).replaceAll("//…@");
    return PASSWORD.matcher(withoutLogin).replaceAll("$1=…");
  }

  /** Returns the settings of a client, by the options of its URI. */
  static String settings(String uri, String rest) {
    Matcher options = OPTIONS.matcher(of(uri));
    return options.find()
        ? "defaults but for the URI's options %s: %s".formatted(options.group(1), rest)
        : "defaults: " + rest;
  }
}
