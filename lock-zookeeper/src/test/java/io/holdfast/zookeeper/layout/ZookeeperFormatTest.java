package io.holdfast.zookeeper.layout;

import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.Retirement;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.tck.format.CommonText;
import io.holdfast.tck.format.Placeholder;
import io.holdfast.tck.format.StoredFormatTck;
import io.holdfast.tck.format.StoredRecord;
import io.holdfast.tck.format.StoredState;
import io.holdfast.testing.zookeeper.ZooServer;
import io.holdfast.zookeeper.ZookeeperLockProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** What lies in the nodes of ZooKeeper. */
@Tag("server")
class ZookeeperFormatTest extends StoredFormatTck {

  private static ZooServer server;

  ZookeeperFormatTest() {
    super("zookeeper", Namespace.PROTOCOL);
  }

  @BeforeAll
  static void startServer() {
    server = ZooServer.launch();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  protected Map<CommonText, String> commonTexts() {
    return Map.of(CommonText.NAMESPACE, "data");
  }

  @Override
  protected StoredState openState() throws IOException {
    ZooState state = new ZooState();
    state.clear();
    return state;
  }

  /** A client that can go away and leave its session, as one that has crashed. */
  private static final class Raw extends ZooKeeper {
    Raw(Duration timeout) throws IOException {
      super(server.address(), (int) timeout.toMillis(), event -> {});
    }

    void crash() {
      cnxn.disconnect();
    }
  }

  /**
   * All nodes below the path in the order in which they were created, which is part of the numbers
   * of grants. A ZooKeeper session is called by the session whose node hangs on it.
   */
  private static final class ZooState implements StoredState {

    private static final String ROOT = "/golden";
    private static final String NAMESPACE = ROOT + "/namespace";
    private static final String CLOCK_NODE = "(clock)";
    private static final String SESSIONS = ROOT + "/sessions/";
    private static final String KIND = "(kind)";
    private static final String CHANGES = "(changes)";
    private static final String DATA = "data";
    private static final String PERSISTENT = "persistent";
    private static final Duration TIMEOUT = Duration.ofSeconds(60).plus(ZooServer.TICK);
    private static final Pattern CLOCK = Pattern.compile("clockMicros=([1-9][0-9]{15})");

    private final Raw client;
    private final Map<String, Raw> owners = new HashMap<>();
    private final List<Raw> olderClients = new ArrayList<>();

    ZooState() throws IOException {
      client = new Raw(TIMEOUT);
    }

    @Override
    public LockBackend connect(BackendOptions options) {
      return new ZookeeperLockProvider()
          .connect(
              "zookeeper://%s%s?tickTime=%d"
                  .formatted(server.address(), ROOT, ZooServer.TICK.toMillis()),
              options,
              Deadline.in(Duration.ofSeconds(30)));
    }

    /** A node with its path. */
    @SuppressWarnings("ArrayRecordComponent") // As the driver has it.
    private record Found(String path, byte[] data, Stat stat) {}

    /** A step that may be interrupted, or fail. */
    private interface Step<T> {
      T done() throws KeeperException, InterruptedException, IOException;
    }

    private static <T> T done(Step<T> step) {
      try {
        return step.done();
      } catch (KeeperException | InterruptedException | IOException e) {
        throw new IllegalStateException(e);
      }
    }

    private List<Found> nodes() {
      return done(
          () -> {
            List<Found> nodes = new ArrayList<>();
            if (client.exists(ROOT, false) != null) {
              for (String path : ZKUtil.listSubTreeBFS(client, ROOT)) {
                Stat stat = new Stat();
                nodes.add(new Found(path, client.getData(path, false, stat), stat));
              }
            }
            nodes.sort(
                Comparator.<Found, Long>comparing(node -> node.stat().getCzxid())
                    .thenComparing(Found::path));
            return nodes;
          });
    }

    @Override
    public List<StoredRecord> read() {
      List<Found> nodes = nodes();
      // A server tells no client which nodes are containers.
      Map<Long, String> owners = new HashMap<>(Map.of(0L, PERSISTENT));
      for (Found node : nodes) {
        if (node.path().startsWith(SESSIONS)) {
          owners.put(
              node.stat().getEphemeralOwner(),
              "of session " + node.path().substring(SESSIONS.length()));
        }
      }
      return nodes.stream()
          .map(
              node ->
                  StoredRecord.at(withoutClock(node.path()))
                      .with(
                          KIND,
                          owners.getOrDefault(node.stat().getEphemeralOwner(), "of no session"))
                      .with(CHANGES, Integer.toString(node.stat().getVersion()))
                      .with(DATA, node.data()))
          .toList();
    }

    /** The name of one node is the clock. */
    private static String withoutClock(String path) {
      return path.startsWith(NAMESPACE + "/") ? NAMESPACE + "/" + CLOCK_NODE : path;
    }

    @Override
    public List<Placeholder> placeholders() {
      return List.of(
          Placeholder.of("clock", NAMESPACE, DATA, CLOCK.pattern()),
          Placeholder.of("namespace", SESSIONS + ".*", DATA, "namespace=([0-9]+)"),
          Placeholder.of("made", ROOT + "/locks/.*", DATA, "made=([0-9]+@[0-9]+)"),
          Placeholder.of("password", SESSIONS + ".*", DATA, "password=([0-9a-f]{32})"));
    }

    @Override
    public void clear() {
      done(
          () -> {
            if (client.exists(ROOT, false) != null) {
              ZKUtil.deleteRecursive(client, ROOT);
            }
            return ROOT;
          });
    }

    @Override
    public void write(List<StoredRecord> records, Map<String, String> values) {
      owners.clear();
      Map<String, String> own = new HashMap<>(values);
      for (StoredRecord stored : records) {
        done(
            () -> {
              String kind = stored.text(KIND, own);
              Raw owner = client;
              if (kind.startsWith("of session")) {
                owner = owners.computeIfAbsent(kind, name -> done(() -> new Raw(TIMEOUT)));
              }
              create(owner, stored, own);
              return stored;
            });
      }
      owners.values().forEach(Raw::crash);
    }

    private static void create(Raw owner, StoredRecord stored, Map<String, String> values)
        throws KeeperException, InterruptedException {
      String path = stored.placeText().replace(CLOCK_NODE, values.getOrDefault("clock", ""));
      CreateMode mode =
          stored.text(KIND, values).equals(PERSISTENT)
              ? CreateMode.PERSISTENT
              : CreateMode.EPHEMERAL;
      Stat stat = new Stat();
      // Connects first, if need be: before that there is no password.
      owner.exists(path, false);
      values.put("password", HexFormat.of().formatHex(owner.getSessionPasswd()));
      byte[] data = stored.bytes(DATA, values);
      owner.create(path, data, Ids.OPEN_ACL_UNSAFE, mode, stat);
      if (path.equals(NAMESPACE)) {
        values.put("namespace", Long.toString(stat.getCzxid()));
      }
      for (int i = Integer.parseInt(stored.text(CHANGES, values)); i > 0; i--) {
        owner.setData(path, data, -1);
      }
    }

    @Override
    public Optional<Retirement> retire() {
      return Optional.of(
          new ZookeeperLockProvider()
              .retire(
                  "zookeeper://%s%s?tickTime=%d"
                      .formatted(server.address(), ROOT, ZooServer.TICK.toMillis()),
                  Deadline.in(Duration.ofSeconds(30))));
    }

    /** ZooKeeper itself ends sessions that have lapsed. */
    @Override
    public void lapseSessions() {
      for (Raw owner : owners.values()) {
        done(
            () -> {
              ZooKeeper again =
                  new ZooKeeper(
                      server.address(),
                      (int) TIMEOUT.toMillis(),
                      event -> {},
                      owner.getSessionId(),
                      owner.getSessionPasswd());
              again.exists(ROOT, false);
              again.close();
              return ROOT;
            });
      }
    }

    /** As older versions did: it reads the settings once more when its request's node is there. */
    @Override
    public boolean openAsOlderClient(int version) {
      return done(
          () -> {
            Raw older = new Raw(TIMEOUT);
            olderClients.add(older);
            String session = SESSIONS + SessionId.fresh().value();
            byte[] data = "ttlMillis=60000\nprocess=old:1\n".getBytes(StandardCharsets.UTF_8);
            try {
              older.create(session, data, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            } catch (KeeperException.NoNodeException e) {
              older.create(
                  ROOT + "/sessions", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
              older.create(session, data, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
            }
            byte[] settings = older.getData(NAMESPACE, false, null);
            return new String(settings, StandardCharsets.UTF_8).contains("protocol=" + version);
          });
    }

    /**
     * The clock in the namespace's node, plus how many transactions later the first node of the
     * queue was created.
     */
    @Override
    public long number(LockName name) {
      List<Found> nodes = nodes();
      Found namespace =
          nodes.stream().filter(node -> node.path().equals(NAMESPACE)).findFirst().orElseThrow();
      Matcher clock = CLOCK.matcher(new String(namespace.data(), StandardCharsets.UTF_8));
      String queue = "/" + encoded(name) + "/";
      return nodes.stream()
          .filter(node -> node.path().contains(queue))
          .mapToLong(node -> node.stat().getCzxid() - namespace.stat().getCzxid())
          .min()
          .stream()
          .map(later -> clock.find() ? Long.parseLong(clock.group(1)) + later : 0)
          .findFirst()
          .orElse(0);
    }

    /** All bytes but letters, digits, {@code _} and {@code -} as {@code %XX}. */
    private static String encoded(LockName name) {
      StringBuilder encoded = new StringBuilder();
      for (byte b : name.bytes()) {
        String plain = String.valueOf((char) b);
        encoded.append(plain.matches("[A-Za-z0-9_-]") ? plain : "%%%02X".formatted(b & 0xff));
      }
      return encoded.toString();
    }

    @Override
    public void close() throws InterruptedException {
      for (Raw older : olderClients) {
        older.close();
      }
      client.close();
    }
  }
}
