package io.holdfast.tck.server;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A ZooKeeper ensemble of several servers. Used by one thread at a time. */
public final class ZooEnsemble implements AutoCloseable {

  private final List<ZooServer> members;

  private ZooEnsemble(List<ZooServer> members) {
    this.members = members;
  }

  /** Starts an empty ensemble. */
  public static ZooEnsemble launch(int size) {
    ZooEnsemble ensemble =
        new ZooEnsemble(
            IntStream.rangeClosed(1, size).mapToObj(id -> new ZooServer(id, List.of())).toList());
    List<String> peers = ensemble.members.stream().map(ZooServer::peer).toList();
    try {
      for (ZooServer member : ensemble.members) {
        member.join(peers);
        member.makeData();
      }
      ensemble.start();
    } catch (RuntimeException | Error e) {
      ensemble.close();
      throw e;
    }
    return ensemble;
  }

  /** Returns the addresses of all servers for clients, with commas between them. */
  public String addresses() {
    return members.stream().map(ZooServer::address).collect(Collectors.joining(","));
  }

  /** Returns the servers. */
  public List<ZooServer> members() {
    return members;
  }

  /** Returns the server that leads. */
  public ZooServer leader() {
    return members.stream().filter(ZooServer::isLeader).findFirst().orElseThrow();
  }

  /** Returns a server that follows. */
  public ZooServer follower() {
    return members.stream().filter(member -> !member.isLeader()).findFirst().orElseThrow();
  }

  private void start() {
    members.forEach(ZooServer::startOnly);
    awaitReady();
  }

  /** Returns when every server serves clients. */
  public void awaitReady() {
    members.forEach(ZooServer::awaitReady);
  }

  /** Shuts all servers down and starts them with their data. */
  public void restart() {
    members.forEach(ZooServer::stop);
    start();
  }

  /** Does something while only one server runs, the leader, then lets the others go on. */
  public void withoutQuorum(Runnable body) {
    ZooServer leader = leader();
    List<ZooServer> others = members.stream().filter(member -> member != leader).toList();
    others.forEach(ZooServer::pause);
    try {
      body.run();
    } finally {
      others.forEach(ZooServer::resume);
      awaitReady();
    }
  }

  @Override
  public void close() {
    members.forEach(ZooServer::close);
  }
}
