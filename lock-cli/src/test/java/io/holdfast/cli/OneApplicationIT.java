package io.holdfast.cli;

import static io.holdfast.cli.run.Commands.TIMEOUT;
import static io.holdfast.cli.run.Commands.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.app.Orders;
import io.holdfast.spi.LockProvider;
import io.holdfast.testing.etcd.EtcdServer;
import io.holdfast.testing.mariadb.MariaServer;
import io.holdfast.testing.postgres.PostgresServer;
import io.holdfast.testing.redis.RedisServer;
import io.holdfast.testing.zookeeper.ZooServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * One compiled application on every store. Its class path has its own class, the API, one adapter
 * and drivers; between two stores the adapter's jar and the URI change and nothing else.
 */
@Execution(ExecutionMode.CONCURRENT)
class OneApplicationIT {

  @TempDir private Path directory;
  private Path classes;

  /** Applications that start at one time: what starts computes, and has to connect in time. */
  private static final Semaphore STARTS = new Semaphore(2);

  private record Ended(int exitCode, String out, String err) {}

  @BeforeEach
  void takeTheApplicationAlone() throws IOException {
    String file = Orders.class.getName().replace('.', '/') + ".class";
    classes = directory.resolve("classes");
    Files.createDirectories(classes.resolve(file).getParent());
    Files.copy(Path.of("target", "test-classes").resolve(file), classes.resolve(file));
  }

  @Test
  void itRunsOnSqlite() throws Exception {
    runsOn("lock-jdbc", "jdbc:sqlite:" + directory.resolve("locks.db"));
  }

  @Test
  @Tag("server")
  void itRunsOnPostgres() throws Exception {
    try (PostgresServer server = PostgresServer.launch()) {
      runsOn("lock-jdbc", server.uri());
    }
  }

  @Test
  @Tag("server")
  void itRunsOnMariaDb() throws Exception {
    try (MariaServer server = MariaServer.launch()) {
      runsOn("lock-jdbc", server.uri());
    }
  }

  @Test
  @Tag("server")
  void itRunsOnRedis() throws Exception {
    try (RedisServer server = RedisServer.launch()) {
      runsOn("lock-redis", server.uri() + "?restartGuard=off");
    }
  }

  @Test
  @Tag("server")
  void itRunsOnEtcd() throws Exception {
    try (EtcdServer server = EtcdServer.launch()) {
      runsOn("lock-etcd", "etcd://" + server.address());
    }
  }

  @Test
  @Tag("server")
  void itRunsOnZookeeper() throws Exception {
    try (ZooServer server = ZooServer.launch()) {
      runsOn("lock-zookeeper", server.uri() + "?tickTime=" + ZooServer.TICK.toMillis());
    }
  }

  /** On an imitation of a server, for want of a real one. */
  @Test
  void itRunsOnMongoDb() throws Exception {
    try (MongoImitation server = MongoImitation.launch()) {
      runsOn("lock-mongo", server.uri());
    }
  }

  @Test
  void withTheJarOfAnotherStoreItSaysWhichOneIsMissing() throws Exception {
    Ended run = run("lock-jdbc", "redis://localhost");

    assertThat(run.exitCode()).isNotZero();
    assertThat(run.err()).contains("redis:", "lock-redis");
  }

  private void runsOn(String adapter, String uri) throws Exception {
    Ended run = run(adapter, uri);

    assertThat(run.exitCode()).as(run.err()).isZero();
    List<String> lines = run.out().lines().toList();
    assertThat(ServiceLoader.load(LockProvider.class))
        .as("the URI is accepted as it is printed: %s", lines.get(1))
        .filteredOn(provider -> provider.accepts(lines.get(1)))
        .hasSize(1);
    List<Long> tokens =
        Arrays.stream(lines.get(0).strip().replaceAll("[\\[\\]]", "").split(", "))
            .map(Long::valueOf)
            .toList();
    assertThat(tokens).hasSize(5).doesNotHaveDuplicates().isSorted();
  }

  private Ended run(String adapter, String uri) throws Exception {
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath(adapter),
                Orders.class.getName(),
                uri)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    STARTS.acquire();
    try {
      Process process = command.start();
      try {
        assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).as(text(err)).isTrue();
        return new Ended(process.exitValue(), text(out), text(err));
      } finally {
        process.destroyForcibly();
      }
    } finally {
      STARTS.release();
    }
  }

  /** The application, the API, this adapter, and what is not of Holdfast. */
  private String classPath(String adapter) throws IOException {
    try (Stream<Path> jars = Files.list(Tool.built().resolve("lib"))) {
      Stream<Path> taken =
          jars.filter(
              jar -> {
                String name = jar.getFileName().toString();
                return !name.startsWith("lock-")
                    || name.startsWith("lock-api-")
                    || name.startsWith(adapter + "-");
              });
      return Stream.concat(Stream.of(classes), taken)
          .map(Path::toString)
          .collect(Collectors.joining(File.pathSeparator));
    }
  }
}
