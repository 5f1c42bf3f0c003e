package io.holdfast.tck.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The reports that users read promise nothing which was not shown. */
class KitReportsTest {

  private static final Path REPORTS = Path.of("../docs/kit-reports");

  /** What the imitation of MongoDB cannot be made to do: it has one server. */
  private static final List<String> NOT_PROVED =
      List.of("mongodb-imitation: GRANTS_SURVIVE_FAIL_OVER");

  @Test
  void everyClaimOfOurAdaptersIsProvedButForThoseNamedHere() throws IOException {
    try (Stream<Path> files = Files.list(REPORTS)) {
      List<String> open =
          files
              .filter(file -> !file.endsWith("README.md"))
              .flatMap(KitReportsTest::openClaims)
              .toList();

      assertThat(open).isSubsetOf(NOT_PROVED);
    }
  }

  private static Stream<String> openClaims(Path page) {
    try {
      String store = page.getFileName().toString().replace(".md", "");
      return Files.readAllLines(page).stream()
          .filter(line -> line.matches("\\| [A-Z_]+: .* \\| (NOT PROVED|FAILED) \\| .*"))
          .map(line -> store + ": " + line.substring(2, line.indexOf(':')));
    } catch (IOException e) {
      throw new IllegalStateException("A report cannot be read.", e);
    }
  }
}
