package io.holdfast.tck.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What is made of a number is the same in every locale. {@code %d} writes it in the digits of the
 * JVM's default locale, which are not those of ASCII in Iran, Egypt or Bangladesh: no database
 * reads them in a statement, and clients of two locales would name two keys. {@code %s} asks no
 * locale.
 */
class LocaleTest {

  private static final Path ROOT = Path.of("..");

  /** Nobody but us runs these. */
  private static final Set<String> OURS = Set.of("benchmarks", "lock-testing");

  private static final Pattern OF_THE_LOCALE =
      Pattern.compile("%(?:\\d+\\$)?[-#+0,(]*\\d*(?:\\.\\d+)?[dfgGtTS]");

  private static final Pattern OF_NO_LOCALE =
      Pattern.compile("format\\(\\s*Locale\\.ROOT,\\s*\"[^\"]*\"");

  @Test
  void noTextDependsOnTheLocaleOfTheJvm() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      List<Path> sources =
          modules
              .filter(module -> !OURS.contains(module.getFileName().toString()))
              .map(module -> module.resolve("src/main/java"))
              .filter(Files::isDirectory)
              .flatMap(LocaleTest::sources)
              .toList();

      assertThat(sources).hasSizeGreaterThan(500);
      assertThat(sources.stream().flatMap(LocaleTest::localized))
          .as("what is written in the digits of a locale; use %%s, or Locale.ROOT")
          .isEmpty();
    }
  }

  private static Stream<Path> sources(Path module) {
    try (Stream<Path> files = Files.walk(module)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<String> localized(Path source) {
    String text = OF_NO_LOCALE.matcher(read(source)).replaceAll("");
    return OF_THE_LOCALE
        .matcher(text)
        .results()
        .map((MatchResult found) -> ROOT.relativize(source) + ": " + found.group());
  }

  private static String read(Path source) {
    try {
      return Files.readString(source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
