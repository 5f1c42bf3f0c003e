package io.holdfast.tck.format;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a golden file spells bytes: printable ASCII as itself, a line feed as {@code \n}, and every
 * other byte as {@code \xHH}. The backslash, the opening angle bracket, and a space at either end
 * are spelled as {@code \xHH} too, so that a bracket always begins a placeholder and an editor
 * loses nothing.
 */
final class GoldenText {

  private static final Pattern PLACEHOLDER = Pattern.compile("<([^>]+)>");
  private static final int HEX = 16;
  private static final int ESCAPE_LENGTH = 4;
  private static final char FIRST_PRINTABLE = ' ';
  private static final char LAST_PRINTABLE = '~';

  private GoldenText() {}

  static String escape(String text) {
    return escape(text.getBytes(StandardCharsets.UTF_8));
  }

  static String escape(byte[] bytes) {
    StringBuilder escaped = new StringBuilder();
    for (int i = 0; i < bytes.length; i++) {
      boolean atEnd = i == 0 || i == bytes.length - 1;
      escaped.append(escape((char) (bytes[i] & 0xff), atEnd));
    }
    return escaped.toString();
  }

  private static String escape(char c, boolean atEnd) {
    if (c == '\n') {
      return "\\n";
    }
    boolean printable = c >= FIRST_PRINTABLE && c <= LAST_PRINTABLE;
    boolean reserved = c == '\\' || c == '<' || (c == ' ' && atEnd);
    return printable && !reserved ? String.valueOf(c) : "\\x%02x".formatted((int) c);
  }

  /**
   * Returns the bytes that a text spells.
   *
   * @param values what the placeholders stand for, spelled like the text
   * @throws IllegalArgumentException if a placeholder has no value
   */
  static byte[] bytes(String text, Map<String, String> values) {
    String filled = fill(text, values);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < filled.length(); i++) {
      char c = filled.charAt(i);
      if (c != '\\') {
        bytes.write(c);
      } else if (filled.charAt(i + 1) == 'n') {
        bytes.write('\n');
        i++;
      } else {
        bytes.write(Integer.parseInt(filled.substring(i + 2, i + ESCAPE_LENGTH), HEX));
        i += ESCAPE_LENGTH - 1;
      }
    }
    return bytes.toByteArray();
  }

  private static String fill(String text, Map<String, String> values) {
    Matcher placeholder = PLACEHOLDER.matcher(text);
    return placeholder.replaceAll(
        match -> {
          String value = values.get(match.group(1));
          if (value == null) {
            throw new IllegalArgumentException("No value for " + match.group() + " in " + text);
          }
          return Matcher.quoteReplacement(value);
        });
  }
}
