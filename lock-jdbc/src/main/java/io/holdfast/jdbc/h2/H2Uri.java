package io.holdfast.jdbc.h2;

import io.holdfast.error.BadRequestException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The URI of an H2 database.
 *
 * @param text as H2 takes it
 */
public record H2Uri(String text) {

  /** The beginning of each. */
  public static final String SCHEME = "jdbc:h2:";

  /** How a database is reached, and with whom it can be shared. */
  enum Kind {
    /** By the processes of one machine. */
    FILE,
    /** By every client that reaches its server. */
    SERVER,
    /** Inside one JVM. */
    MEMORY
  }

  public H2Uri {
    String form = "Give one such as jdbc:h2:async:/var/lib/app/locks;AUTO_SERVER=TRUE";
    if (nameOf(text).isBlank()) {
      throw new BadRequestException("The URI names no H2 database. " + form);
    }
    if (nameOf(text).equals("mem:")) {
      throw new BadRequestException(
          "A database in memory without a name is one for each connection, and excludes no other. Give it a name: jdbc:h2:mem:locks");
    }
    if (option(text, "WRITE_DELAY").filter(delay -> !delay.strip().equals("0")).isPresent()) {
      throw new BadRequestException(
          "With the WRITE_DELAY in the URI of %s H2 would write later than it answers, so that grants could be lost. Leave it out."
              .formatted(nameOf(text)));
    }
  }

  private static String nameOf(String text) {
    return text.substring(SCHEME.length()).split(";", -1)[0];
  }

  /** Returns it without its options, among which there may be a password. */
  String name() {
    return nameOf(text);
  }

  Kind kind() {
    String name = name().toLowerCase(Locale.ROOT);
    if (name.startsWith("tcp:") || name.startsWith("ssl:")) {
      return Kind.SERVER;
    }
    return name.startsWith("mem:") ? Kind.MEMORY : Kind.FILE;
  }

  /** Returns whether the process that opens the file serves it to the others. */
  boolean isShared() {
    return option(text, "AUTO_SERVER").filter("TRUE"::equalsIgnoreCase).isPresent();
  }

  /** Returns whether an option is given. */
  boolean has(String option) {
    return option(text, option).isPresent();
  }

  private static Optional<String> option(String text, String option) {
    String begin = option + "=";
    return Arrays.stream(text.split(";", -1))
        .filter(part -> part.toUpperCase(Locale.ROOT).startsWith(begin))
        .map(part -> part.substring(begin.length()))
        .findFirst();
  }
}
