package io.holdfast.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The examples of a page, each of which stands in the code of a test that runs it. */
public final class PageExamples {

  private static final Pattern EXAMPLE = Pattern.compile("(?s)```java\n(.*?)```");

  private PageExamples() {}

  /** Requires that the page has so many examples, and that the code has the words of each. */
  public static void requireIn(Path code, Path page, int count) throws IOException {
    String here = words(Files.readString(code));
    List<String> examples =
        EXAMPLE
            .matcher(Files.readString(page))
            .results()
            .map((MatchResult match) -> words(match.group(1)))
            .toList();

    assertThat(examples).hasSize(count).allSatisfy(example -> assertThat(here).contains(example));
  }

  /** Returns a text without its layout. */
  private static String words(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }
}
