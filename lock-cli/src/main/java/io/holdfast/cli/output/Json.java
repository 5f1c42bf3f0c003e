package io.holdfast.cli.output;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON on one line. This class replaces a JSON library, because loading one would take
 * longer at start-up than the rest of the output.
 */
public final class Json {

  private final StringBuilder text = new StringBuilder();

  private Json() {}

  /**
   * Returns the JSON text of a map, list, string, integer, boolean or null, with their elements.
   */
  public static String write(@Nullable Object value) {
    Json json = new Json();
    json.value(value);
    return json.text.toString();
  }

  private void value(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      String separator = "{";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        text.append(separator);
        string(String.valueOf(entry.getKey()));
        text.append(':');
        value(entry.getValue());
        separator = ",";
      }
      text.append(map.isEmpty() ? "{}" : "}");
    } else if (value instanceof List<?> list) {
      String separator = "[";
      for (Object element : list) {
        text.append(separator);
        value(element);
        separator = ",";
      }
      text.append(list.isEmpty() ? "[]" : "]");
    } else if (value == null || value instanceof Boolean || isExactNumber(value)) {
      text.append(value);
    } else if (value instanceof String string) {
      string(string);
    } else {
      throw new IllegalArgumentException("Not for JSON: " + value.getClass());
    }
  }

  /**
   * Whether JSON readers keep the number exact: many round beyond 2^53, so such numbers are given
   * as strings.
   */
  private static boolean isExactNumber(Object value) {
    return value instanceof Integer
        || (value instanceof Long number && Math.abs(number) <= 1L << 53);
  }

  private void string(String value) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> text.append("\\\"");
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        case '\t' -> text.append("\\t");
        default -> {
          if (c < ' ' || Character.isSurrogate(c) || Character.isISOControl(c)) {
            escaped(c);
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }

  private void escaped(char c) {
    String digits = Integer.toHexString(c);
    text.append("\\u").append("0".repeat(4 - digits.length())).append(digits);
  }
}
