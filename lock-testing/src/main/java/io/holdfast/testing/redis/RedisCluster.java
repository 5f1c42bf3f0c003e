package io.holdfast.testing.redis;

import static org.awaitility.Awaitility.await;

import io.holdfast.tck.server.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Redis cluster of three masters that have a third of the slots each, and of replicas, which
 * answer before their disks have what they answer. Used by one thread at a time.
 */
public final class RedisCluster implements AutoCloseable {

  private static final int MASTERS = 3;
  private static final int SLOTS = 16_384;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final String MIGRATED_WITHIN_MILLIS = "20000";

  /** A node that stands still for as long has not failed. */
  private static final String UNNOTICED_MILLIS = "20000";

  /** After how long a silent master is replaced once one was killed. */
  private static final String NOTICED_MILLIS = "2000";

  private final List<RedisServer> nodes = new ArrayList<>();

  private RedisCluster() {}

  /**
   * Starts one.
   *
   * @param replicas how many; each master gets one before any gets a second
   */
  public static RedisCluster launch(int replicas) {
    RedisCluster cluster = new RedisCluster();
    try {
      cluster.start(replicas);
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  private void start(int replicas) {
    for (int i = 0; i < MASTERS; i++) {
      String first = Integer.toString(SLOTS * i / MASTERS);
      String last = Integer.toString(SLOTS * (i + 1) / MASTERS - 1);
      order(add(), "CLUSTER", "ADDSLOTSRANGE", first, last);
    }
    for (int i = 0; i < replicas; i++) {
      add();
    }
    // Each its own: of two nodes with one epoch, one takes a greater one later, and slots back with
    // it.
    for (int i = 0; i < nodes.size(); i++) {
      order(nodes.get(i), "CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
    }
    RedisServer meeting = nodes.get(0);
    for (RedisServer node : nodes.subList(1, nodes.size())) {
      order(node, "CLUSTER", "MEET", "127.0.0.1", port(meeting), busPort(meeting));
    }
    awaitTrue("the nodes to know each other", () -> allSay("cluster_known_nodes:" + nodes.size()));
    for (int i = 0; i < replicas; i++) {
      RedisServer replica = nodes.get(MASTERS + i);
      String master = id(nodes.get(i % MASTERS));
      awaitTrue(
          "a node to know its master",
          () -> replica.command("CLUSTER", "REPLICATE", master).equals("OK"));
      awaitTrue(
          "a replica to have its master's data",
          () -> replica.command("INFO", "replication").contains("master_link_status:up"));
    }
    awaitTrue("the cluster to be ready", () -> allSay("cluster_state:ok"));
  }

  private RedisServer add() {
    RedisServer node =
        RedisServer.launch(
            "--cluster-enabled",
            "yes",
            "--cluster-port",
            Integer.toString(ServerProcess.freePort()),
            "--cluster-node-timeout",
            UNNOTICED_MILLIS,
            "--repl-diskless-sync-delay",
            "0",
            "--appendfsync",
            "everysec");
    nodes.add(node);
    return node;
  }

  private boolean allSay(String words) {
    return nodes.stream()
        .map(node -> node.command("CLUSTER", "INFO"))
        .allMatch(info -> info.contains(words) && info.contains("cluster_slots_assigned:" + SLOTS));
  }

  private static void awaitTrue(String what, BooleanSupplier condition) {
    await(what).atMost(TIMEOUT).until(condition::getAsBoolean);
  }

  private static void order(RedisServer node, String... command) {
    String answer = node.command(command);
    if (!answer.equals("OK")) {
      throw new IllegalStateException(String.join(" ", command) + " failed: " + answer);
    }
  }

  private static String port(RedisServer node) {
    return Integer.toString(node.port());
  }

  private static String busPort(RedisServer node) {
    return node.command("CONFIG", "GET", "cluster-port").lines().skip(1).findFirst().orElseThrow();
  }

  private static String id(RedisServer node) {
    return node.command("CLUSTER", "MYID");
  }

  /** Returns its nodes. */
  public List<RedisServer> nodes() {
    return List.copyOf(nodes);
  }

  /** Returns the addresses of all nodes, with commas between them. */
  public String addresses() {
    return nodes.stream().map(node -> "127.0.0.1:" + node.port()).collect(Collectors.joining(","));
  }

  /** Returns the node that answers for a key. */
  public RedisServer master(String key) {
    return masters(key).findFirst().orElseThrow();
  }

  private Stream<RedisServer> masters(String key) {
    return nodes.stream()
        .filter(RedisServer::isRunning)
        .filter(node -> node.command("EXISTS", key).matches("[01]"));
  }

  /** Kills the node that answers for a key, and returns when another one does. */
  public void failOver(String key) {
    master(key).kill();
    setNodeTimeout(NOTICED_MILLIS);
    awaitTrue("a replica to be promoted", () -> masters(key).findAny().isPresent());
    setNodeTimeout(UNNOTICED_MILLIS);
  }

  private void setNodeTimeout(String millis) {
    nodes.stream()
        .filter(RedisServer::isRunning)
        .forEach(node -> order(node, "CONFIG", "SET", "cluster-node-timeout", millis));
  }

  /** Begins to move a key's slot: present keys stay for now, new ones belong elsewhere. */
  public Move beginMove(String key) {
    RedisServer from = master(key);
    RedisServer to =
        nodes.stream()
            .filter(node -> node != from && node.command("ROLE").startsWith("master"))
            .findFirst()
            .orElseThrow();
    String slot = from.command("CLUSTER", "KEYSLOT", key);
    order(to, "CLUSTER", "SETSLOT", slot, "IMPORTING", id(from));
    order(from, "CLUSTER", "SETSLOT", slot, "MIGRATING", id(to));
    return new Move(slot, from, to);
  }

  /** A slot that moves from one master to another. */
  public static final class Move {

    private final String slot;
    private final RedisServer from;
    private final RedisServer to;

    private Move(String slot, RedisServer from, RedisServer to) {
      this.slot = slot;
      this.from = from;
      this.to = to;
    }

    /** Moves a key. */
    public void take(String key) {
      order(from, "MIGRATE", "127.0.0.1", port(to), key, "0", MIGRATED_WITHIN_MILLIS);
    }

    /** Moves all keys that are left, and tells all nodes; returns when the new one answers. */
    public void finish() {
      from.command("CLUSTER", "GETKEYSINSLOT", slot, "100000")
          .lines()
          .filter(key -> !key.isEmpty())
          .forEach(this::take);
      for (RedisServer node : List.of(to, from)) {
        order(node, "CLUSTER", "SETSLOT", slot, "NODE", id(to));
      }
    }
  }

  @Override
  public void close() {
    nodes.forEach(RedisServer::close);
  }
}
