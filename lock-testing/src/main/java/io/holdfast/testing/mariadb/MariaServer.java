package io.holdfast.testing.mariadb;

import static org.awaitility.Awaitility.await;

import io.holdfast.tck.server.ServerProcess;
import io.holdfast.tck.server.ShiftedClock;
import io.holdfast.tck.server.Tools;
import io.holdfast.testing.server.DatabaseServer;
import io.holdfast.testing.server.UnprivilegedUser;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A MariaDB server. Lets every client in as {@code root}, without a password. */
public final class MariaServer extends DatabaseServer {

  static final UnprivilegedUser USER = UnprivilegedUser.preferring("mysql");

  /** The options that are the same when its data is made and whenever it is started. */
  static final List<String> SMALL =
      // Losses of the system are not tested here, only those of the server.
      List.of("--innodb-log-file-size=8M", "--innodb-flush-method=nosync");

  /**
   * It measures with the wall clock how long its own threads wait, and ends itself when that seems
   * long because the clock was stepped meanwhile. So they have little to wait for.
   */
  private static final List<String> CALM =
      List.of(
          "--skip-innodb-doublewrite",
          "--skip-innodb-stats-persistent",
          "--skip-innodb-stats-auto-recalc",
          "--innodb-purge-threads=1",
          // Over io_uring it was seen to wait for ever for a page that had been written: a DROP
          // DATABASE that did not end.
          "--skip-innodb-use-native-aio");

  private static final Path VERSIONS = Path.of("/usr/local/mariadb");
  private static final String PACKAGE = "mariadb-server";

  /** A server tells when it was started in whole seconds, and no adapter counts on each of them. */
  private static final Duration APART = Duration.ofSeconds(4);

  private final Map<String, String> environment;
  private final List<String> settings;
  private long startedNanos = System.nanoTime() - APART.toNanos();

  private MariaServer(int port, Map<String, String> environment, List<String> settings) {
    super(USER, "mariadb", port, environment);
    this.environment = environment;
    this.settings = settings;
  }

  /**
   * Starts a server with an empty database.
   *
   * @param settings each as in {@code --max-connections=20}
   */
  public static MariaServer launch(String... settings) {
    return new MariaServer(ServerProcess.freePort(), Map.of(), List.of(settings)).launched();
  }

  /**
   * Starts a server with an empty database that goes by a clock of its own.
   *
   * @param settings each as in {@code --max-connections=20}
   */
  public static MariaServer launch(ShiftedClock clock, String... settings) {
    return new MariaServer(ServerProcess.freePort(), clock.environment(), List.of(settings))
        .launched();
  }

  private MariaServer launched() {
    startFirst(this::makeData);
    return this;
  }

  @Override
  protected void makeData() {
    MariaTemplate.copyTo(data());
  }

  /**
   * Makes a server with the data that this one has now, and with the same clock and settings: a
   * replica that receives nothing from now on. It is not started.
   *
   * @param replicaPort on which it listens
   */
  public MariaServer copy(int replicaPort) {
    MariaServer copy = new MariaServer(replicaPort, environment, settings);
    // The data on disk while nothing runs is that which would be there after a crash.
    pause();
    try {
      Tools.run(USER.command(List.of("cp", "-R", data().toString(), copy.data().toString())));
    } catch (RuntimeException | Error e) {
      copy.close();
      throw e;
    } finally {
      resume();
    }
    return copy;
  }

  /** Executes statements as its superuser and returns what they print, without column names. */
  public String sql(String statements) {
    return Tools.run(client("mariadb", "--skip-column-names", "--execute=" + statements, "app"));
  }

  /** Returns the statements that make the tables of its database as they are now. */
  public String dump() {
    return Tools.run(client("mariadb-dump", "app"));
  }

  private List<String> client(String program, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(program(program).toString());
    command.addAll(List.of("--no-defaults", "--host=127.0.0.1", "--port=" + port(), "--user=root"));
    command.addAll(List.of(arguments));
    return command;
  }

  static Path program(String name) {
    return Tools.find(name, VERSIONS, PACKAGE);
  }

  @Override
  public void start() {
    await("the second of its last start to be over")
        .atMost(APART.multipliedBy(15))
        .until(() -> System.nanoTime() - startedNanos >= APART.toNanos());
    super.start();
    startedNanos = System.nanoTime();
  }

  @Override
  protected List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(program("mariadbd").toString());
    // Each that starts deletes what looks like a temporary table in the directory for them.
    command.addAll(List.of("--no-defaults", "--datadir=" + data(), "--tmpdir=" + directory()));
    command.addAll(List.of("--bind-address=127.0.0.1", "--port=" + port(), "--skip-name-resolve"));
    // Rules run side by side, each with several clients, each with its pools.
    command.add("--max-connections=1500");
    command.addAll(
        List.of("--socket=" + directory().resolve("socket"), "--innodb-buffer-pool-size=32M"));
    command.addAll(SMALL);
    command.addAll(CALM);
    command.addAll(settings);
    return command;
  }

  @Override
  protected boolean isReady() {
    return Tools.succeeds(client("mariadb-admin", "--connect-timeout=10", "ping"));
  }

  @Override
  protected String shutdownSignal() {
    return "TERM";
  }

  @Override
  public String uri() {
    return "jdbc:mariadb://127.0.0.1:%d/app?user=root".formatted(port());
  }
}
