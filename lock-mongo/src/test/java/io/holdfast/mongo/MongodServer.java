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
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * A real server of MongoDB, the only member of a replica set, with its data in a temporary
 * directory.
 */
final class MongodServer implements AutoCloseable {

  private static final Duration WITHIN = Duration.ofSeconds(60);

  private final Path program;
  private final Path directory;
  private final int port = ServerProcess.freePort();
  private @Nullable ServerProcess process;

  private MongodServer(Path program, Path directory) {
    this.program = program;
    this.directory = directory;
  }

  /** Returns the server's program: what {@code HOLDFAST_MONGOD} names, or else is in PATH. */
  static Optional<Path> program() {
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

  static MongodServer start() {
    try {
      MongodServer server =
          new MongodServer(program().orElseThrow(), Files.createTempDirectory("holdfast-mongod-"));
      Files.createDirectory(server.data());
      server.launch();
      server.initiate();
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path data() {
    return directory.resolve("data");
  }

  String uri(String database) {
    return "mongodb://127.0.0.1:%d/%s?replicaSet=rs0".formatted(port, database);
  }

  private void launch() {
    List<String> command = new ArrayList<>(List.of(program.toString(), "--replSet", "rs0"));
    command.addAll(List.of("--bind_ip", "127.0.0.1", "--port", Integer.toString(port)));
    command.addAll(List.of("--dbpath", data().toString()));
    process = ServerProcess.start(command, directory.resolve("log"));
  }

  private void initiate() {
    String direct = "mongodb://127.0.0.1:%d/?directConnection=true".formatted(port);
    Document member = new Document("_id", 0).append("host", "127.0.0.1:" + port);
    Document config = new Document("_id", "rs0").append("members", List.of(member));
    try (MongoClient client = MongoClients.create(direct)) {
      client.getDatabase("admin").runCommand(new Document("replSetInitiate", config));
    }
    awaitPrimary();
  }

  private void awaitPrimary() {
    try (MongoClient client = MongoClients.create(uri("admin"))) {
      await()
          .atMost(WITHIN)
          .ignoreExceptionsInstanceOf(MongoException.class)
          .until(
              () -> {
                client.getDatabase("admin").runCommand(new Document("ping", 1));
                return true;
              });
    }
  }

  /** Starts it again with all of its data: another election. */
  void restart() {
    stop();
    launch();
    awaitPrimary();
  }

  void drop(String database) {
    try (MongoClient client = MongoClients.create(uri(database))) {
      client.getDatabase(database).drop();
    }
  }

  private void stop() {
    if (process != null) {
      process.end("TERM");
      process.close();
    }
  }

  @Override
  public void close() {
    stop();
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
