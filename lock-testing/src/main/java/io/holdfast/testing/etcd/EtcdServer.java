package io.holdfast.testing.etcd;

import io.holdfast.tck.server.MemberServer;
import io.holdfast.tck.server.ServerProcess;
import io.holdfast.tck.server.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A member of an etcd cluster, or the only one, with data of its own, on free ports of 127.0.0.1
 * which it keeps over restarts. Used by one thread at a time.
 */
public final class EtcdServer extends MemberServer {

  private static final Path VERSIONS = Path.of("/usr/lib/etcd");
  private static final String PACKAGE = "etcd-server";
  private static final Pattern ID = Pattern.compile("etcd_server_id\\{server_id=\"(\\w+)\"} 1");
  private static final Duration ASKED_WITHIN = Duration.ofSeconds(5);

  private final String name;
  private final int peerPort = ServerProcess.freePort();

  /** Where the other members find it. */
  private int reachedAt = peerPort;

  /** Where it is asked how it is, without TLS. */
  private final int healthPort = ServerProcess.freePort();

  private final List<String> settings;
  private String cluster;

  /** How often its data was made again: by it another cluster is told from the one before. */
  private int renewals;

  /** Makes a member that is to be started. */
  EtcdServer(String name, List<String> settings) {
    super(Tools.makeTemporaryDirectory("holdfast-etcd-"));
    this.name = name;
    this.settings = settings;
    this.cluster = peer();
  }

  /**
   * Starts a server that is a cluster by itself, empty.
   *
   * @param settings each as in {@code --election-timeout=500}; with {@code --cert-file} clients
   *     have to use TLS
   */
  public static EtcdServer launch(String... settings) {
    EtcdServer server = new EtcdServer("one", List.of(settings));
    server.startFirst(() -> {});
    return server;
  }

  /** Returns how others find it. */
  String peer() {
    return name + "=" + peerUrl();
  }

  /** Returns the port on which it listens to other members. */
  int peerPort() {
    return peerPort;
  }

  /** Has the other members find it on that port, which leads to its own. */
  void reachedAt(int port) {
    this.reachedAt = port;
  }

  /** Makes it one of several. */
  void join(String members) {
    this.cluster = members;
  }

  private String peerUrl() {
    return "http://127.0.0.1:" + reachedAt;
  }

  private String url() {
    boolean tls = settings.stream().anyMatch(setting -> setting.startsWith("--cert-file"));
    return (tls ? "https://" : "http://") + address();
  }

  private String healthUrl() {
    return "http://127.0.0.1:" + healthPort;
  }

  @Override
  protected void makeData() {
    renewals++;
  }

  /**
   * Does some writes and then goes on without them, as after a backup from before them was put
   * back. It is the same cluster afterwards.
   */
  public void restoreWithout(Runnable writes) {
    Path backup = directory().resolve("backup");
    Tools.delete(backup);
    stop();
    Tools.run(List.of("cp", "-R", data().toString(), backup.toString()));
    start();
    writes.run();
    kill();
    Tools.delete(data());
    Tools.run(List.of("mv", backup.toString(), data().toString()));
    start();
  }

  @Override
  protected void startOnly() {
    List<String> command = new ArrayList<>();
    command.add(Tools.find("etcd", VERSIONS, PACKAGE).toString());
    command.addAll(List.of("--name", name, "--data-dir", data().toString()));
    command.addAll(List.of("--listen-client-urls", url(), "--advertise-client-urls", url()));
    command.addAll(List.of("--listen-peer-urls", "http://127.0.0.1:" + peerPort));
    command.addAll(List.of("--initial-advertise-peer-urls", peerUrl()));
    command.addAll(List.of("--listen-metrics-urls", healthUrl()));
    command.addAll(List.of("--initial-cluster", cluster, "--log-level", "warn"));
    command.addAll(List.of("--initial-cluster-token", "holdfast-" + renewals));
    command.addAll(settings);
    // Many small servers run at once, whose threads for all processors mostly wake each other.
    run(command, Map.of("GOMAXPROCS", "1"));
  }

  @Override
  public void awaitReady() {
    running().awaitReady(this::isHealthy);
  }

  private boolean isHealthy() {
    try {
      return ask("/health").contains("true");
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns how members call it. */
  String id() {
    Matcher id = ID.matcher(metrics());
    if (!id.find()) {
      throw new IllegalStateException("The member does not tell its id.");
    }
    return id.group(1);
  }

  @Override
  protected boolean isLeader() {
    return metrics().contains("\netcd_server_is_leader 1\n");
  }

  /** Returns the server's metrics, as it prints them. */
  public String metrics() {
    try {
      return ask("/metrics");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns how many watches its clients have at present. */
  public long watchers() {
    return metrics()
        .lines()
        .filter(line -> line.startsWith("etcd_debugging_mvcc_watcher_total "))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
        .sum();
  }

  private String ask(String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(healthUrl() + path).toURL().openConnection();
    connection.setConnectTimeout((int) ASKED_WITHIN.toMillis());
    connection.setReadTimeout((int) ASKED_WITHIN.toMillis());
    try {
      return new String(connection.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      connection.disconnect();
    }
  }
}
