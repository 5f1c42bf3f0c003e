package io.holdfast.tck.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documents lead to each other and into the code. */
class LinksTest {

  private static final Path ROOT = Path.of("..");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(?:#([^)]*))?\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");

  @Test
  void everyFileThatADocumentLinksToIsThere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      LINK.matcher(Files.readString(document))
          .results()
          .map((MatchResult link) -> link.group(1))
          .filter(target -> Files.notExists(document.resolveSibling(target)))
          .forEach(target -> broken.add(document + " -> " + target));
    }

    assertThat(broken).isEmpty();
  }

  @Test
  void everyHeadingThatADocumentLinksToIsThere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path document : documents()) {
      for (MatchResult link : LINK.matcher(Files.readString(document)).results().toList()) {
        String anchor = link.group(2);
        Path target =
            link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1)).normalize();
        if (anchor != null
            && target.toString().endsWith(".md")
            && !anchors(target).contains(anchor)) {
          broken.add(document + " -> " + link.group());
        }
      }
    }

    assertThat(broken).isEmpty();
  }

  /** As GitHub makes them of headings. */
  private static Set<String> anchors(Path document) throws IOException {
    return HEADING
        .matcher(Files.readString(document))
        .results()
        .map(
            (MatchResult heading) ->
                heading
                    .group(1)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("\\]\\([^)]*\\)", "")
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  private static List<Path> documents() throws IOException {
    try (Stream<Path> root = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      List<Path> documents =
          Stream.concat(root, docs).filter(file -> file.toString().endsWith(".md")).toList();
      assertThat(documents).hasSizeGreaterThan(8);
      return documents;
    }
  }
}
