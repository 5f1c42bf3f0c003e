package io.holdfast.benchmarks.contender;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.Holdfast;
import io.holdfast.LockClient;
import io.holdfast.jdbc.JdbcLocks;
import io.holdfast.memory.MemoryStore;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.sqlite.JDBC;

/** The earlier version is the present one, from jars of its own. */
class EarlierVersionTest {

  @TempDir private Path folder;

  private EarlierVersion version() throws IOException, URISyntaxException {
    for (Class<?> type :
        List.of(Holdfast.class, MemoryStore.class, JdbcLocks.class, JDBC.class, Logger.class)) {
      Path from = Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path jar = folder.resolve("lock-%s.jar".formatted(type.getSimpleName()));
      if (Files.isDirectory(from)) {
        jar(from, jar);
      } else {
        Files.copy(from, jar);
      }
    }
    return EarlierVersion.in(folder);
  }

  /** Maven has packed no jar yet if it only tests. */
  private static void jar(Path classes, Path jar) {
    ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
    String[] arguments = {"--create", "--file", jar.toString(), "-C", classes.toString(), "."};
    assertThat(tool.run(System.out, System.err, arguments)).isZero();
  }

  private String file() {
    return "jdbc:sqlite:" + folder.resolve("locks.db");
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("holdfast"))
        .collect(Collectors.toSet());
  }

  @Test
  void aPairTakesTheLockInTheStoreThatTheUriNames() throws Exception {
    try (EarlierVersion version = version()) {
      long first = numberAfterAPair(version);

      assertThat(first).isPositive();
      assertThat(numberAfterAPair(version)).isGreaterThan(first);
    }
  }

  /** Reads the file when the other SQLite library has closed it: see SqliteStore. */
  private long numberAfterAPair(EarlierVersion version) throws Exception {
    try (OpenContender earlier = new EarlierHoldfast(version, file()).open(1)) {
      earlier.pair("lock").takeAndGiveBack();
    }
    try (Connection connection = DriverManager.getConnection(file());
        Statement statement = connection.createStatement();
        ResultSet lock = statement.executeQuery("SELECT number FROM holdfast_locks")) {
      return lock.getLong(1);
    }
  }

  @Test
  void itSharesNoClassWithThePresentOne() throws Exception {
    String uri = "memory:earlier-test";
    try (EarlierVersion version = version();
        LockClient present = Holdfast.connect(uri);
        Grant held = present.lock("lock").acquire();
        OpenContender earlier = new EarlierHoldfast(version, uri).open(1)) {
      assertThat(version.loader().loadClass(Holdfast.class.getName())).isNotSameAs(Holdfast.class);
      assertThatThrownBy(() -> version.loader().loadClass(EarlierVersion.class.getName()))
          .isInstanceOf(ClassNotFoundException.class);

      // It has a memory of its own, in which nobody holds the lock.
      earlier.pair("lock").takeAndGiveBack();
      held.check();
    }
  }

  @Test
  void itsThreadsEndWhenItIsClosed() throws Exception {
    Set<Thread> before = threads();
    ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
    try (EarlierVersion version = version()) {
      OpenContender earlier = new EarlierHoldfast(version, file()).open(1);
      earlier.pair("lock").takeAndGiveBack();
      Set<Thread> its = threads();
      its.removeAll(before);
      earlier.close();

      assertThat(its).isNotEmpty();
      await().untilAsserted(() -> assertThat(its).noneMatch(Thread::isAlive));
      assertThat(Thread.currentThread().getContextClassLoader()).isSameAs(ofThread);
    }
  }

  @Test
  void theReportSaysWhichItIs() throws Exception {
    try (EarlierVersion version = version()) {
      assertThat(new EarlierHoldfast(version, file()).settings())
          .contains("lock-Holdfast.jar", "lock-JdbcLocks.jar");
    }
    Files.writeString(folder.resolve("revision"), "abcdef of 2026-11-27\n");
    try (EarlierVersion version = EarlierVersion.in(folder)) {
      assertThat(new EarlierHoldfast(version, file()).settings())
          .startsWith("abcdef of 2026-11-27, ");
    }
  }

  @Test
  void aFolderWithoutHoldfastIsRefused() {
    assertThatThrownBy(() -> EarlierVersion.in(folder).close())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(folder.toString());
  }
}
