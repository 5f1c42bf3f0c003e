package io.holdfast.jdbc.connections;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A statement whose parameters have names ({@code :number}), so that its text can be read by itself
 * and each dialect may use them in another order.
 *
 * @param jdbc the text with question marks, which may have numbers
 * @param parameters which parameter stands where
 */
public record NamedSql(String jdbc, List<String> parameters) {

  private static final Pattern PARAMETER = Pattern.compile(":([a-z]+)");

  public NamedSql {
    parameters = List.copyOf(parameters);
  }

  /** Each parameter stands there, and is set, as often as the text has it. */
  public static NamedSql of(String text) {
    List<String> parameters = new ArrayList<>();
    String jdbc =
        PARAMETER
            .matcher(text)
            .replaceAll(
                match -> {
                  parameters.add(match.group(1));
                  return "?";
                });
    return new NamedSql(jdbc, parameters);
  }

  /** For databases whose parameters may have numbers: each is set once. */
  public static NamedSql numbered(String text) {
    List<String> parameters = new ArrayList<>();
    String jdbc =
        PARAMETER
            .matcher(text)
            .replaceAll(
                match -> {
                  if (!parameters.contains(match.group(1))) {
                    parameters.add(match.group(1));
                  }
                  return "?" + (parameters.indexOf(match.group(1)) + 1);
                });
    return new NamedSql(jdbc, parameters);
  }
}
