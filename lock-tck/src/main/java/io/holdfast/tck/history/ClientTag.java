package io.holdfast.tck.history;

import java.util.regex.Pattern;

/**
 * Names one client in a history.
 *
 * @param process the process it lives in, a name that is used once in a run
 * @param client the client's name, used once in its process
 */
public record ClientTag(String process, String client) {

  private static final Pattern PART = Pattern.compile("[A-Za-z0-9._-]+");

  /** Checks that both names are made of letters, digits, dots, dashes and underscores. */
  public ClientTag {
    requirePart(process);
    requirePart(client);
  }

  /** Reads the text form. */
  public static ClientTag parse(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length != 2) {
      throw new IllegalArgumentException("Not a client's tag (process/client): " + text);
    }
    return new ClientTag(parts[0], parts[1]);
  }

  static void requirePart(String part) {
    if (!PART.matcher(part).matches()) {
      throw new IllegalArgumentException("Not a part of a tag: " + part);
    }
  }

  /** Returns {@code process/client}. */
  @Override
  public String toString() {
    return process + "/" + client;
  }
}
