package io.holdfast.mongo;

import static org.awaitility.Awaitility.await;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.holdfast.tck.server.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * A real server of MongoDB on a port of 127.0.0.1, with its data in a temporary directory. Used by
 * one thread at a time.
 */
final class MongodServer implements AutoCloseable {

  private static final Duration WITHIN = Duration.ofSeconds(60);

  /** One that stands still, or cannot be reached, does not hold the tests up. */
  private static final String SOON =
      "directConnection=true&serverSelectionTimeoutMS=2000&connectTimeoutMS=2000&socketTimeoutMS=20000";

  private final Path program;
  private final Path directory;
  private final List<String> options;
  private final int port = ServerProcess.freePort();
  private @Nullable ServerProcess process;

  private MongodServer(Path program, Path directory, List<String> options) {
    this.program = program;
    this.directory = directory;
    this.options = options;
  }

  /** Returns the server's program: what {@code HOLDFAST_MONGOD} names, or else is in PATH. */
  private static Optional<Path> program() {
    String named = Optional.ofNullable(System.getenv("HOLDFAST_MONGOD")).orElse("");
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    Stream<Path> inPath =
        Arrays.stream(path.split(File.pathSeparator, -1))
            .filter(directory -> !directory.isEmpty())
            .map(directory -> Path.of(directory, "mongod"));
    return Stream.concat(Stream.of(named).filter(n -> !n.isEmpty()).map(Path::of), inPath)
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Returns whether tests on real servers can be run. */
  static boolean isThere() {
    return program().isPresent();
  }

  /** Starts one without data. */
  static MongodServer launch(String... options) {
    try {
      MongodServer server =
          new MongodServer(
              program().orElseThrow(),
              Files.createTempDirectory("holdfast-mongod-"),
              List.of(options));
      Files.createDirectory(server.data());
      server.start();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path data() {
    return directory.resolve("data");
  }

  int port() {
    return port;
  }

  /** Starts it with the data that is there, and returns when it answers. */
  void start() {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of("--bind_ip", "127.0.0.1", "--port", Integer.toString(port)));
    command.addAll(List.of("--dbpath", data().toString()));
    command.addAll(options);
    process = ServerProcess.start(command, directory.resolve("log"));
    await()
        .atMost(WITHIN)
        .ignoreExceptionsInstanceOf(MongoException.class)
        .until(() -> run(new Document("ping", 1)).containsKey("ok"));
  }

  /** Does a command of an administrator's. */
  Document run(Document command) {
    try (MongoClient client = client()) {
      return client.getDatabase("admin").runCommand(command);
    }
  }

  /** Returns a client of this server alone, whatever set it belongs to. */
  MongoClient client() {
    return MongoClients.create("mongodb://127.0.0.1:%d/?%s".formatted(port, SOON));
  }

  private ServerProcess running() {
    return Objects.requireNonNull(process);
  }

  /** Starts it again with all of its data. */
  void restart() {
    running().end("TERM");
    running().close();
    start();
  }

  /** Kills it with SIGKILL, and returns when it is gone. */
  void kill() {
    running().close();
  }

  /** Stops it with SIGSTOP. */
  void pause() {
    running().pause();
  }

  /** Lets it run again with SIGCONT. */
  void resume() {
    running().resume();
  }

  boolean isAlive() {
    return running().isAlive();
  }

  @Override
  public void close() {
    running().close();
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
