package io.holdfast.tck.format;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A value that differs from run to run, such as a time or a number that the server makes. A golden
 * file has its name in angle brackets instead.
 *
 * @param name what stands in the brackets
 * @param place which records have it: matches the whole place
 * @param field which fields have it: matches the whole name
 * @param value what it looks like in the spelling of a golden file; the first group is replaced, or
 *     the whole match if there is no group
 */
public record Placeholder(String name, Pattern place, Pattern field, Pattern value) {

  /** Makes one from regular expressions. */
  public static Placeholder of(String name, String place, String field, String value) {
    return new Placeholder(
        name, Pattern.compile(place), Pattern.compile(field), Pattern.compile(value));
  }

  /** Replaces every occurrence, and takes note of the last value replaced. */
  String mask(String inPlace, String inField, String text, Map<String, String> learned) {
    if (!place.matcher(inPlace).matches() || !field.matcher(inField).matches()) {
      return text;
    }
    StringBuilder masked = new StringBuilder();
    int done = 0;
    Matcher found = value.matcher(text);
    while (found.find()) {
      int group = Math.min(1, found.groupCount());
      masked.append(text, done, found.start(group)).append('<').append(name).append('>');
      learned.put(name, found.group(group));
      done = found.end(group);
    }
    return masked.append(text.substring(done)).toString();
  }
}
