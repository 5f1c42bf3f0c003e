package io.holdfast.testing.zookeeper;

import io.holdfast.tck.server.MemberServer;
import io.holdfast.tck.server.ServerProcess;
import io.holdfast.tck.server.ShortLivedJvm;
import io.holdfast.tck.server.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A server of a ZooKeeper ensemble, or the only one, in a JVM of its own, with data of its own and
 * on free ports of 127.0.0.1 which it keeps over restarts. Runs the ZooKeeper on this JVM's class
 * path, with the libraries that its server needs. Used by one thread at a time.
 */
public final class ZooServer extends MemberServer {

  /** Short, so that TTLs can be short, too. */
  public static final Duration TICK = Duration.ofMillis(200);

  private static final String MAIN = "org.apache.zookeeper.server.quorum.QuorumPeerMain";
  private static final Duration ASKED_WITHIN = Duration.ofSeconds(5);
  private static final Duration VOTES_AGAIN = Duration.ofSeconds(1);

  /** The counts of requests under way, which it prints when it goes on without answering them. */
  private static final Pattern UNANSWERED =
      Pattern.compile("outstanding|pending_syncs|(request|write|sess).*(queue|commit).*(max|avg)");

  private static final Pattern TROUBLE =
      Pattern.compile(
          "ERROR|Not expecting a sync|exited loop|without seeing txn|igest|OutOfMemory|LOOKING");

  private static final int LINES = 5;
  private static final byte[] LOCALHOST = {127, 0, 0, 1};

  /** For tests, which start many: small, and quick to start. */
  private static final List<String> SHORT_LIVED = List.of("-Xmx96m");

  /** As a server that runs for long: its code is compiled for speed, and has zkServer.sh's heap. */
  private static final List<String> LONG_LIVED =
      List.of("-Xmx1000m", "-XX:TieredStopAtLevel=4", "-XX:+BytecodeVerificationRemote");

  private final int id;
  private final int quorumPort = ServerProcess.freePort();
  private final int electionPort = ServerProcess.freePort();
  private final List<String> settings;
  private final List<String> jvm;
  private List<String> peers = List.of();

  /** Makes a server that is to be started. */
  ZooServer(int id, List<String> settings) {
    this(id, settings, SHORT_LIVED);
  }

  private ZooServer(int id, List<String> settings, List<String> jvm) {
    super(Tools.makeTemporaryDirectory("holdfast-zookeeper-"));
    this.id = id;
    this.settings = settings;
    this.jvm = jvm;
  }

  /**
   * Starts a server that is alone, empty.
   *
   * @param settings lines of its configuration, each as in {@code maxClientCnxns=10}
   */
  public static ZooServer launch(String... settings) {
    return launched(new ZooServer(1, List.of(settings)));
  }

  /**
   * Starts a server that is alone, empty, whose JVM is set up for speed, not for a quick start.
   *
   * @param settings lines of its configuration, of which the last of a name counts
   */
  public static ZooServer launchForLong(String... settings) {
    return launched(new ZooServer(1, List.of(settings), LONG_LIVED));
  }

  private static ZooServer launched(ZooServer server) {
    server.startFirst(server::makeData);
    return server;
  }

  /** Returns the URI of locks in it, with nothing behind the address. */
  public String uri() {
    return "zookeeper://" + address();
  }

  /** Returns how others find it. */
  String peer() {
    return "server.%d=127.0.0.1:%d:%d".formatted(id, quorumPort, electionPort);
  }

  /** Returns how others find it if they talk to it, but for elections, through another port. */
  String peerBehind(int portToIt) {
    return "server.%d=127.0.0.1:%d:%d".formatted(id, portToIt, electionPort);
  }

  /** Returns the port on which it talks to its followers. */
  int quorumPort() {
    return quorumPort;
  }

  /** Makes it one of several. */
  void join(List<String> members) {
    this.peers = members;
  }

  @Override
  protected void makeData() {
    Tools.makeDirectory(data());
    write(data().resolve("myid"), Integer.toString(id));
  }

  @Override
  protected void startOnly() {
    List<String> lines = new ArrayList<>();
    lines.add("dataDir=" + data());
    lines.add("clientPort=" + port());
    lines.add("clientPortAddress=127.0.0.1");
    lines.add("tickTime=" + TICK.toMillis());
    lines.add("minSessionTimeout=" + TICK.multipliedBy(8).toMillis());
    lines.add("maxSessionTimeout=" + Duration.ofMinutes(2).toMillis());
    lines.add("initLimit=50");
    lines.add("syncLimit=20");
    lines.add("maxClientCnxns=0");
    lines.add("admin.enableServer=false");
    lines.add("4lw.commands.whitelist=*");
    lines.addAll(peers);
    lines.addAll(settings);
    Path file = directory().resolve("zoo.cfg");
    write(file, String.join("\n", lines) + "\n");
    List<String> options = new ArrayList<>(jvm);
    options.add("-Dzookeeper.forceSync=no");
    // One that missed a vote would ask again after up to a minute, and serve no client meanwhile.
    options.add("-Dzookeeper.fastleader.maxNotificationInterval=" + VOTES_AGAIN.toMillis());
    List<String> command = ShortLivedJvm.command(MAIN, options.toArray(String[]::new));
    command.add(file.toString());
    run(command, Map.of());
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void awaitReady() {
    running().awaitReady(() -> mode().isPresent());
  }

  @Override
  protected boolean isLeader() {
    return mode().filter("leader"::equals).isPresent();
  }

  private Optional<String> mode() {
    try {
      return ask("srvr")
          .lines()
          .filter(line -> line.startsWith("Mode: "))
          .map(line -> line.substring("Mode: ".length()))
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Returns what it says of itself, each by its name, as far as it is a whole number. */
  public Map<String, Long> metrics() {
    try {
      return ask("mntr")
          .lines()
          .map(line -> line.split("\t", -1))
          .filter(words -> words.length == 2 && words[1].matches("-?[0-9]{1,18}"))
          .collect(Collectors.toMap(words -> words[0], words -> Long.valueOf(words[1])));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what it does, how many requests it has not answered, and the last of its trouble. */
  String state() {
    List<String> trouble = printed().lines().filter(line -> TROUBLE.matcher(line).find()).toList();
    return "%s %s %s %s"
        .formatted(
            address(),
            isRunning() ? mode().orElse("serves nobody") : "has ended",
            unanswered(),
            trouble.subList(Math.max(0, trouble.size() - LINES), trouble.size()));
  }

  private String unanswered() {
    try {
      Map<String, Long> found = new TreeMap<>(metrics());
      found.keySet().removeIf(name -> !UNANSWERED.matcher(name).find());
      return found.toString();
    } catch (UncheckedIOException e) {
      return e.toString();
    }
  }

  private String ask(String command) throws IOException {
    try (Socket socket = new Socket()) {
      int millis = (int) ASKED_WITHIN.toMillis();
      socket.connect(new InetSocketAddress(InetAddress.getByAddress(LOCALHOST), port()), millis);
      socket.setSoTimeout(millis);
      socket.getOutputStream().write(command.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
