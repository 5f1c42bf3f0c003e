package io.holdfast.tck.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.mutants.Mutant;
import io.holdfast.tck.mutants.Mutants;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of mutants in docs/rules.md says which rules reject each of them, and where. */
class MutantTableTest {

  private static final Path DOCUMENT = Path.of("../docs/rules.md");
  private static final Path MEMORY =
      Path.of("../lock-memory/src/test/java/io/holdfast/memory/mutants");

  /** The mutants of a real store that decide something inside, by the letter of the store. */
  private static final Map<String, Path> REAL =
      Map.of(
          "R", Path.of("../lock-redis/src/test/java/io/holdfast/redis/kit/ScriptMutant.java"),
          "P",
              Path.of(
                  "../lock-jdbc/src/test/java/io/holdfast/jdbc/postgres/kit/StatementMutant.java"));

  private static final Pattern OF_MEMORY =
      Pattern.compile("MemoryMutant\\.of\\(\\s*\"([a-z-]+)\",\\s*\"†");
  private static final Pattern OF_STORE =
      Pattern.compile("\\bof\\(\\s*\"([a-z-]+)\",\\s*\"(\\w+Rules\\.\\w+)\"");
  private static final Pattern RULE = Pattern.compile("\"(\\w+Rules\\.\\w+)\"");

  @Test
  void theTableHasEveryMutantOfAMarkedRuleThatAStoreCanBe() throws IOException {
    List<String> listed =
        Files.readAllLines(DOCUMENT).stream()
            .filter(line -> line.matches("\\| `[a-z-]+` \\|.*"))
            .map(String::strip)
            .toList();

    assertThat(listed)
        .as("lines of %s; the lines of this comparison can be copied", DOCUMENT)
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(
                    Mutants.marked().stream().map(MutantTableTest::line),
                    ofMemory().entrySet().stream()
                        .map(
                            mutant ->
                                line(mutant.getKey(), mutant.getValue(), real(mutant.getKey()))))
                .toList());
  }

  /** A real store's mutant breaks what the mutant of that name breaks in memory. */
  @Test
  void aRealStoresMutantIsRejectedByARuleThatRejectsItInMemory() {
    Map<String, List<String>> known = ofMemory();
    Mutants.marked().forEach(mutant -> known.put(mutant.name(), mutant.rejectedBy()));

    REAL.values().stream()
        .flatMap(file -> OF_STORE.matcher(text(file)).results())
        .forEach(
            mutant ->
                assertThat(known.getOrDefault(mutant.group(1), List.of()))
                    .as("rules that reject %s in memory", mutant.group(1))
                    .contains(mutant.group(2)));
  }

  /** Those that can be made of any store are run on both. */
  private static String line(Mutant mutant) {
    return line(mutant.name(), mutant.rejectedBy(), "M P R");
  }

  private static String line(String mutant, List<String> rules, String where) {
    return "| `%s` | %s | %s |"
        .formatted(
            mutant,
            rules.stream().map(rule -> "`" + rule + "`").collect(Collectors.joining(", ")),
            where);
  }

  private static String real(String mutant) {
    return Stream.concat(
            Stream.of("M"),
            REAL.entrySet().stream()
                .filter(
                    store ->
                        OF_STORE
                            .matcher(text(store.getValue()))
                            .results()
                            .anyMatch(found -> found.group(1).equals(mutant)))
                .map(Map.Entry::getKey)
                .sorted())
        .collect(Collectors.joining(" "));
  }

  /** The rules that reject each mutant of the store in memory, up to where the next one begins. */
  private static Map<String, List<String>> ofMemory() {
    Map<String, List<String>> rules = new TreeMap<>();
    try (Stream<Path> files = Files.list(MEMORY)) {
      files
          .map(MutantTableTest::text)
          .forEach(
              text -> {
                for (MatchResult mutant : OF_MEMORY.matcher(text).results().toList()) {
                  int next = text.indexOf("MemoryMutant.of(", mutant.end());
                  String body = text.substring(mutant.end(), next < 0 ? text.length() : next);
                  rules.put(
                      mutant.group(1),
                      RULE.matcher(body).results().map(rule -> rule.group(1)).toList());
                }
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(rules).hasSizeGreaterThan(20);
    return rules;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
