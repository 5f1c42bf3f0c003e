package io.holdfast.cli.adapters;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.spi.LockProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdapterListTest {

  @TempDir private Path directory;
  private Path list;

  @BeforeEach
  void writeList() throws Exception {
    list = directory.resolve("adapters.list");
    System.setProperty("holdfast.adapters", list.toString());
    AdapterList.main(new String[] {list.toString()});
  }

  @AfterEach
  void forgetList() {
    System.clearProperty("holdfast.adapters");
  }

  @Test
  void theListHasTheAdaptersOfTheClassPath() {
    assertThat(AdapterList.current()).contains(list);
    assertThat(ListedAdapters.with(AdapterListTest::found))
        .isEqualTo(found())
        .contains("io.holdfast.jdbc.JdbcLockProvider", "io.holdfast.redis.RedisLockProvider");
  }

  @Test
  void nothingButTheListIsRead() throws Exception {
    keepOnly("io.holdfast.jdbc.");

    assertThat(ListedAdapters.with(AdapterListTest::found))
        .containsExactly("io.holdfast.jdbc.JdbcLockProvider");
    assertThat(found()).as("afterwards it is as before").hasSizeGreaterThan(1);
  }

  @Test
  void aListOfOtherJarsCountsForNothing() throws Exception {
    keepOnly("io.holdfast.jdbc.");
    String text = Files.readString(list);
    List<String> others =
        List.of(
            text.replaceFirst("# (\\S+\\.jar) (\\d+) ", "# $1 1$2 "),
            text.replaceFirst("# (\\S+\\.jar) (\\d+) (\\d+)\n", "# $1 $2 1$3\n"),
            text.replaceFirst("# \\S+\\.jar .*\n", ""),
            text.replaceFirst("\n#\n", "\n# another.jar 1 1\n#\n"));
    for (String other : others) {
      assertThat(other).isNotEqualTo(text);
      Files.writeString(list, other);

      assertThat(AdapterList.current()).as(other).isEmpty();
      assertThat(ListedAdapters.with(AdapterListTest::found)).isEqualTo(found());
    }
  }

  @Test
  void withoutAListTheJarsAreSearched() throws Exception {
    Files.delete(list);

    assertThat(ListedAdapters.with(AdapterListTest::found)).isEqualTo(found());
  }

  private void keepOnly(String prefix) throws Exception {
    String text =
        Files.readString(list)
            .lines()
            .filter(line -> line.startsWith("#") || line.startsWith(prefix))
            .collect(Collectors.joining("\n", "", "\n"));
    Files.writeString(list, text);
  }

  private static List<String> found() {
    return ServiceLoader.load(LockProvider.class).stream()
        .map(adapter -> adapter.type().getName())
        .toList();
  }
}
