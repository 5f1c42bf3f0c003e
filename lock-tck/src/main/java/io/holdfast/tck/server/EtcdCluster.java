package io.holdfast.tck.server;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An etcd cluster of several members, with short heartbeats and elections. Used by one thread at a
 * time.
 */
public final class EtcdCluster implements AutoCloseable {

  private static final List<String> QUICK =
      List.of("--heartbeat-interval=50", "--election-timeout=500");

  private final List<EtcdServer> members;
  private final PeerNetwork network;

  private EtcdCluster(List<EtcdServer> members) {
    this.members = members;
    this.network = new PeerNetwork(members);
  }

  /** Starts an empty cluster. */
  public static EtcdCluster launch(int size) {
    EtcdCluster cluster =
        new EtcdCluster(
            IntStream.range(0, size).mapToObj(i -> new EtcdServer("m" + i, QUICK)).toList());
    String all = cluster.members.stream().map(EtcdServer::peer).collect(Collectors.joining(","));
    try {
      cluster.members.forEach(member -> member.join(all));
      cluster.start();
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
    return cluster;
  }

  /** Returns the addresses of all members for clients, with commas between them. */
  public String addresses() {
    return members.stream().map(EtcdServer::address).collect(Collectors.joining(","));
  }

  /** Returns the members. */
  public List<EtcdServer> members() {
    return members;
  }

  /** Returns the member that leads. */
  public EtcdServer leader() {
    return members.stream().filter(EtcdServer::isLeader).findFirst().orElseThrow();
  }

  /** Returns a member that follows. */
  public EtcdServer follower() {
    return members.stream().filter(member -> !member.isLeader()).findFirst().orElseThrow();
  }

  private void start() {
    members.forEach(EtcdServer::startOnly);
    awaitReady();
  }

  /** Returns when every member answers. */
  public void awaitReady() {
    members.forEach(EtcdServer::awaitReady);
  }

  /** Shuts all members down and starts them with their data. */
  public void restart() {
    members.forEach(EtcdServer::stop);
    start();
  }

  /** Cuts a member off from the others, but from no client, until {@link #reunite}. */
  public void cutOff(EtcdServer member) {
    network.cutOff(member);
  }

  /** Brings all members together again, and returns when every one answers. */
  public void reunite() {
    network.heal();
    awaitReady();
  }

  /** Does something while only one member runs, the leader, then lets the others go on. */
  public void withoutQuorum(Runnable body) {
    EtcdServer leader = leader();
    List<EtcdServer> others = members.stream().filter(member -> member != leader).toList();
    others.forEach(EtcdServer::pause);
    try {
      body.run();
    } finally {
      others.forEach(EtcdServer::resume);
      awaitReady();
    }
  }

  @Override
  public void close() {
    members.forEach(EtcdServer::close);
    network.close();
  }
}
