package io.holdfast.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The arguments of a script are counted by hand in Lua and in Java, and Lua takes a missing one for
 * nil. So the head of each script lists exactly those that it reads.
 */
class ScriptArgumentsTest {

  /** A line such as {@code -- ARGV[4] name}; a list without end, {@code ARGV[6…]}, is skipped. */
  private static final Pattern LISTED =
      Pattern.compile("^-- ARGV\\[(\\d+)(?:…(\\d+))?]", Pattern.MULTILINE);

  private static final Pattern COMMENT = Pattern.compile("--.*$", Pattern.MULTILINE);
  private static final Pattern READ = Pattern.compile("ARGV\\[(\\d+)]");

  @ParameterizedTest
  @EnumSource(Script.class)
  void theHeadOfAScriptListsTheArgumentsThatItReads(Script script) {
    assertThat(listed(script.text())).isEqualTo(read(script.text()));
  }

  private static Set<Integer> listed(String text) {
    Set<Integer> indices = new TreeSet<>();
    Matcher line = LISTED.matcher(text);
    while (line.find()) {
      int first = Integer.parseInt(line.group(1));
      int last = line.group(2) == null ? first : Integer.parseInt(line.group(2));
      IntStream.rangeClosed(first, last).forEach(indices::add);
    }
    return indices;
  }

  private static Set<Integer> read(String text) {
    Matcher code = READ.matcher(COMMENT.matcher(text).replaceAll(""));
    return code.results()
        .map(each -> Integer.valueOf(each.group(1)))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
