package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the command loads to run another under a lock in SQLite, with the archive of classes that
 * the build has made where the distribution lies. Each of these has cost milliseconds at every
 * start, which a test of times would not show on a machine that has other work.
 */
class StartIT {

  private static final String ARCHIVE = "source: shared objects file";

  @TempDir private static Path directory;

  /** A line for each class until COMMAND was started: its name, and where it is from. */
  private static List<String> loaded = List.of();

  @BeforeAll
  static void start() throws Exception {
    Path log = directory.resolve("classes.log");
    ProcessBuilder builder =
        new ProcessBuilder(
            Tool.built().resolve("bin/holdfast").toString(), "run", "demo", "--", "true");
    builder.environment().put("HOLDFAST_BACKEND", "jdbc:sqlite:" + directory.resolve("locks.db"));
    // Read after the launcher's options, which switch logging off.
    builder.environment().put("HOLDFAST_JAVA_OPTIONS", "-Xlog:class+load:file=" + log + ":none");
    Process process = builder.redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    List<String> all = Files.readAllLines(log);
    loaded = until("java.lang.ProcessImpl ", all);
  }

  private static List<String> until(String prefix, List<String> lines) {
    assertThat(lines).anyMatch(begins(prefix));
    return lines.stream().takeWhile(line -> !line.startsWith(prefix)).toList();
  }

  @Test
  void nothingIsLoadedThatARunOnSqliteDoesNotUse() {
    assertThat(loaded)
        .as("adapters are asked whether a URI is theirs, and do nothing else")
        .noneMatch(begins("io.netty.", "io.grpc.", "io.vertx.", "com.google.", "redis.clients."))
        .noneMatch(begins("com.mongodb.client", "org.apache.zookeeper.ZooKeeper ", "io.etcd."))
        .noneMatch(begins("com.zaxxer.", "org.postgresql.", "org.mariadb.", "org.h2."));
    assertThat(loaded).as("plain arguments need no general parser").noneMatch(begins("picocli."));
    assertThat(loaded)
        .as("methods that the JVM makes for records when they are first called")
        .noneMatch(begins("java.lang.runtime.ObjectMethods "));
    assertThat(loaded)
        .as("what only DriverManager, a stream's findFirst, or a proxy of public types needs")
        .noneMatch(begins("java.sql.DriverManager ", "java.util.stream.FindOps "))
        .noneMatch(begins("java.lang.WeakPairMap "));
    assertThat(loaded)
        .as("providers of cryptography")
        .noneMatch(begins("java.security.SecureRandom ", "sun.security.jca."));
  }

  @Test
  void theArchiveOfClassesIsInUse() {
    for (String name :
        List.of(
            "io.holdfast.cli.Main",
            "io.holdfast.engine.EngineClient",
            "io.holdfast.jdbc.sqlite.SqliteDatabase",
            "org.slf4j.LoggerFactory",
            "org.sqlite.jdbc4.JDBC4Connection")) {
      assertThat(loaded).contains(name + " " + ARCHIVE);
    }
    assertThat(loaded)
        .as("most of what is loaded, and not only what the JVM's own archive has")
        .filteredOn(line -> !line.endsWith(ARCHIVE))
        .hasSizeLessThan(loaded.size() / 20);
  }

  @Test
  void theAdaptersAreListed() {
    assertThat(until("io.holdfast.jdbc.JdbcLockProvider ", loaded))
        .as("the adapters' names were read from one file, not from every jar")
        .noneMatch(begins("java.net.JarURLConnection "));
  }

  private static Predicate<String> begins(String... prefixes) {
    return line -> List.of(prefixes).stream().anyMatch(line::startsWith);
  }
}
