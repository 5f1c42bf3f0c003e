package io.holdfast.tck.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A document that names a test which is not there says that a rule is shown when it is not. */
class NamedTestsTest {

  private static final Path ROOT = Path.of("..");
  private static final List<String> DOCUMENTS =
      List.of("ARCHITECTURE.md", "docs/rules.md", "docs/faults.md", "docs/jsr166.md");

  private static final Pattern TEST =
      Pattern.compile("`(\\w+(?:Rules|Test|IT|Contract))\\.(\\w+)`");
  private static final Pattern MUTANT = Pattern.compile("`([a-z-]+)`");

  /** How a mutant says its name, and that the rule which it breaks is a marked one. */
  private static final Pattern MARKED = Pattern.compile("\"([a-z-]+)\",\\s*\"†");

  /** A class, or a member of one, as the text about the code names it. */
  private static final Pattern CODE =
      Pattern.compile("`((?:[A-Z][a-z0-9]+){2,}|[A-Z][a-z]+(?=\\.[a-z]))(?:\\.(\\w+))?`");

  private static final Set<String> CODE_OF_THE_JDK = Set.of("ServiceLoader");

  private record Named(String document, String type, String test) {}

  @Test
  void everyTestThatADocumentNamesIsThere() {
    Map<String, String> sources = sources();
    List<Named> named = DOCUMENTS.stream().flatMap(NamedTestsTest::named).toList();

    assertThat(named).hasSizeGreaterThan(100);
    assertThat(named).filteredOn(name -> !isThere(name, sources)).isEmpty();
  }

  @Test
  void everyClassAndMemberThatTheTextAboutTheCodeNamesIsThere() {
    Map<String, String> sources = sources();
    List<MatchResult> named =
        lines(ROOT.resolve("ARCHITECTURE.md"))
            .flatMap(line -> CODE.matcher(line).results())
            .filter(name -> !CODE_OF_THE_JDK.contains(name.group(1)))
            .toList();

    assertThat(named).hasSizeGreaterThan(100);
    assertThat(named)
        .filteredOn(
            name ->
                !Pattern.compile("\\b" + (name.group(2) == null ? name.group(1) : name.group(2)))
                    .matcher(sources.getOrDefault(name.group(1), ""))
                    .find())
        .extracting(MatchResult::group)
        .isEmpty();
  }

  @Test
  void everyMutantOfAMarkedRuleIsListedBesideItAndNoOther() {
    List<String> listed =
        lines(ROOT.resolve("ARCHITECTURE.md"))
            .filter(line -> line.matches("\\| \\d+ \\|.*"))
            .map(line -> line.split("\\|", -1)[5])
            .flatMap(mutants -> MUTANT.matcher(mutants).results())
            .map(mutant -> mutant.group(1))
            .toList();
    List<String> marked =
        sources().values().stream()
            .flatMap(source -> MARKED.matcher(source).results())
            .map(mutant -> mutant.group(1))
            .toList();

    assertThat(listed).containsExactlyInAnyOrderElementsOf(marked);
  }

  private static Stream<Named> named(String document) {
    return lines(ROOT.resolve(document))
        .flatMap(line -> TEST.matcher(line).results())
        .map((MatchResult name) -> new Named(document, name.group(1), name.group(2)));
  }

  private static boolean isThere(Named named, Map<String, String> sources) {
    return Pattern.compile("\\b" + named.test() + "(\\(| =)")
        .matcher(sources.getOrDefault(named.type(), ""))
        .find();
  }

  /** Returns the text of every class, by its name. */
  private static Map<String, String> sources() {
    try (Stream<Path> files =
        Files.find(ROOT, 20, (file, is) -> is.isRegularFile() && isSource(file.toString()))) {
      return files.collect(
          Collectors.toMap(
              file -> file.getFileName().toString().replace(".java", ""),
              file -> lines(file).collect(Collectors.joining("\n")),
              String::concat));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isSource(String file) {
    return file.contains("/src/") && file.endsWith(".java");
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
