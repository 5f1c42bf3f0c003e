package io.holdfast.testing.mongo;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.holdfast.tck.server.ServerProcess;
import io.holdfast.tck.server.StoreServer;
import io.holdfast.tck.server.Tools;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.bson.Document;

/** A real server of MongoDB. Used by one thread at a time. */
public final class MongodServer extends StoreServer {

  private static final String URI =
      "mongodb://127.0.0.1:%d/?directConnection=true&serverSelectionTimeoutMS=%d&connectTimeoutMS=%2$d&socketTimeoutMS=20000";

  /** For who only asks whether it is there: one that is paused does not delay the tests. */
  private static final int SOON_MILLIS = 2_000;

  /** For who needs the answer, on a machine that may stand still for a while. */
  private static final int TIMEOUT_MILLIS = 20_000;

  private final Path program;
  private final List<String> options;
  private final int port = ServerProcess.freePort();

  private MongodServer(Path program, List<String> options) {
    super(Tools.makeTemporaryDirectory("holdfast-mongod-"));
    this.program = program;
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

  /** Returns whether there is a real server to start. Nothing installs it. */
  public static boolean isThere() {
    return program().isPresent();
  }

  /** Starts a server without data. */
  public static MongodServer launch(String... options) {
    MongodServer server = new MongodServer(program().orElseThrow(), List.of(options));
    server.startFirst(server::makeData);
    return server;
  }

  @Override
  protected void makeData() {
    Tools.makeDirectory(data());
  }

  /** Returns the port on which it listens. */
  public int port() {
    return port;
  }

  /** Starts the server with its data, and waits until it answers. */
  @Override
  public void start() {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of("--bind_ip", "127.0.0.1", "--port", Integer.toString(port)));
    command.addAll(List.of("--dbpath", data().toString()));
    command.addAll(options);
    run(command, Map.of()).awaitReady(this::isReady);
  }

  private boolean isReady() {
    try {
      return runSoon(new Document("ping", 1)).containsKey("ok");
    } catch (MongoException e) {
      return false;
    }
  }

  /** Runs a command on the database {@code admin}. */
  public Document run(Document command) {
    return run(command, TIMEOUT_MILLIS);
  }

  /** The same for a server that may not be there, which is soon found. */
  public Document runSoon(Document command) {
    return run(command, SOON_MILLIS);
  }

  private Document run(Document command, int timeoutMillis) {
    try (MongoClient client = client(timeoutMillis)) {
      return client.getDatabase("admin").runCommand(command);
    }
  }

  /** Returns a client of this server alone, even if it belongs to a set. */
  public MongoClient client() {
    return client(TIMEOUT_MILLIS);
  }

  private MongoClient client(int timeoutMillis) {
    return MongoClients.create(URI.formatted(port, timeoutMillis));
  }

  @Override
  protected String shutdownSignal() {
    return "TERM";
  }
}
