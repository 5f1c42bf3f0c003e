package io.holdfast.tck.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Each rule of the kit has an id that is its own for ever, and docs/rules.md lists it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RuleIdsTest {

  private static final Path SOURCES = Path.of("src/main/java");
  private static final Path DOCUMENT = Path.of("../docs/rules.md");
  private static final Path MARKED = Path.of("../ARCHITECTURE.md");

  private final List<Class<?>> topics = topics();

  @Test
  void everyRuleHasAnId() {
    assertThat(topics).hasSizeGreaterThan(40);
    assertThat(topics).filteredOn(topic -> !topic.isAnnotationPresent(Topic.class)).isEmpty();
    assertThat(tests().filter(test -> !test.isAnnotationPresent(Rule.class)))
        .as("rules without @Rule, see CONTRIBUTING.md")
        .isEmpty();
  }

  @Test
  void noIdIsGivenTwice() {
    assertThat(topics.stream().map(topic -> topic.getAnnotation(Topic.class).value()))
        .doesNotHaveDuplicates();
    assertThat(rules().map(rule -> rule.getAnnotation(Rule.class).value())).doesNotHaveDuplicates();
  }

  @Test
  void anIdSaysItsTopic() {
    assertThat(rules())
        .allSatisfy(
            rule ->
                assertThat(rule.getAnnotation(Rule.class).value())
                    .as(nameOf(rule))
                    .matches(
                        "HF-"
                            + rule.getDeclaringClass().getAnnotation(Topic.class).value()
                            + "-\\d\\d"));
  }

  /** A message that names a marked rule is to lead to it. */
  @Test
  void everyMarkThatARuleTestsIsInTheTable() throws IOException {
    List<Integer> marked =
        Files.readAllLines(MARKED).stream()
            .filter(line -> line.matches("\\| \\d+ \\|.*"))
            .map(line -> Integer.valueOf(line.split("\\|", -1)[1].trim()))
            .toList();

    assertThat(rules().flatMapToInt(rule -> IntStream.of(rule.getAnnotation(Rule.class).marked())))
        .isSubsetOf(marked);
  }

  @Test
  void theDocumentListsEveryRuleAndNoOther() throws IOException {
    List<String> listed =
        Files.readAllLines(DOCUMENT).stream()
            .filter(line -> line.startsWith("| HF-"))
            .map(String::strip)
            .toList();

    assertThat(listed)
        .as("lines of %s; the lines of this comparison can be copied", DOCUMENT)
        .containsExactlyInAnyOrderElementsOf(rules().map(RuleIdsTest::line).toList());
  }

  private static String line(Method rule) {
    return "| "
        + rule.getAnnotation(Rule.class).value()
        + " | `"
        + nameOf(rule)
        + "` | "
        + IntStream.of(rule.getAnnotation(Rule.class).marked())
            .mapToObj(Integer::toString)
            .collect(Collectors.joining(", "))
        + " |";
  }

  private static String nameOf(Method rule) {
    return rule.getDeclaringClass().getSimpleName() + "." + rule.getName();
  }

  private Stream<Method> tests() {
    return topics.stream()
        .flatMap(topic -> Arrays.stream(topic.getDeclaredMethods()))
        .filter(method -> method.isAnnotationPresent(Test.class));
  }

  private Stream<Method> rules() {
    return tests().filter(test -> test.isAnnotationPresent(Rule.class));
  }

  /** Returns the interfaces of the kit that have tests. */
  private static List<Class<?>> topics() {
    try (Stream<Path> files =
        Files.find(SOURCES, 20, (file, is) -> file.toString().endsWith("Rules.java"))) {
      return files
          .map(file -> SOURCES.relativize(file).toString().replace('/', '.'))
          .map(file -> classOf(file.substring(0, file.length() - ".java".length())))
          .filter(
              type ->
                  Arrays.stream(type.getDeclaredMethods())
                      .anyMatch(method -> method.isAnnotationPresent(Test.class)))
          .sorted((one, other) -> one.getName().compareTo(other.getName()))
          .collect(Collectors.toList());
    } catch (IOException e) {
      throw new IllegalStateException("The sources of the kit cannot be read.", e);
    }
  }

  private static Class<?> classOf(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("A source has no class.", e);
    }
  }
}
