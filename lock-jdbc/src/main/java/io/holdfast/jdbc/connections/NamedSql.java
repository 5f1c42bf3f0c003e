package io.holdfast.jdbc.connections;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement whose parameters have names ({@code :number}), so that its text can be read by itself
 * and each dialect may use them in another order.
 *
 * @param jdbc the text with question marks
 * @param parameters which parameter stands where
 */
public record NamedSql(String jdbc, List<String> parameters) {

  private static final Pattern PARAMETER = Pattern.compile(":([a-z]+)");

  public NamedSql {
    parameters = List.copyOf(parameters);
  }

  public static NamedSql of(String text) {
    List<String> parameters = new ArrayList<>();
    Matcher matcher = PARAMETER.matcher(text);
    StringBuilder jdbc = new StringBuilder();
    while (matcher.find()) {
      parameters.add(matcher.group(1));
      matcher.appendReplacement(jdbc, "?");
    }
    matcher.appendTail(jdbc);
    return new NamedSql(jdbc.toString(), parameters);
  }
}
