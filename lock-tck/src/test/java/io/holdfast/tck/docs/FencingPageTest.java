package io.holdfast.tck.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The examples of docs/fencing.md are in tests that run, one of each store. */
class FencingPageTest {

  private static final Path PAGE = Path.of("../docs/fencing.md");
  private static final Pattern EXAMPLE = Pattern.compile("(?s)```java\n(.*?)```");

  private static final List<Path> SOURCES =
      Stream.of(
              "lock-memory/src/test/java/io/holdfast/memory/fencing/FencingExampleTest.java",
              "lock-jdbc/src/test/java/io/holdfast/jdbc/rules/Orders.java",
              "lock-redis/src/test/java/io/holdfast/redis/RedisOrders.java",
              "lock-mongo/src/test/java/io/holdfast/mongo/MongoOrders.java",
              "lock-etcd/src/test/java/io/holdfast/etcd/EtcdOrders.java",
              "lock-zookeeper/src/test/java/io/holdfast/zookeeper/ZookeeperOrders.java")
          .map(Path.of("..")::resolve)
          .toList();

  @Test
  void everyExampleOfThePageIsInATest() throws IOException {
    StringBuilder sources = new StringBuilder();
    for (Path source : SOURCES) {
      sources.append(words(Files.readString(source)));
    }
    List<String> examples =
        EXAMPLE
            .matcher(Files.readString(PAGE))
            .results()
            .map((MatchResult match) -> words(match.group(1)))
            .toList();

    assertThat(examples)
        .hasSizeGreaterThan(8)
        .allSatisfy(example -> assertThat(sources.toString()).contains(example));
  }

  /** Returns a text without its layout. */
  private static String words(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }
}
