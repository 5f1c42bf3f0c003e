package io.holdfast.tck.server;

import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.NetworkProxy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A ZooKeeper ensemble of several servers. Used by one thread at a time. */
public final class ZooEnsemble implements AutoCloseable {

  private final List<ZooServer> members;

  /** Between the first and the others, if it is apart. */
  private final List<NetworkProxy> network = new ArrayList<>();

  private ZooEnsemble(int size) {
    this.members =
        IntStream.rangeClosed(1, size).mapToObj(id -> new ZooServer(id, List.of())).toList();
  }

  /** Starts an empty ensemble. */
  public static ZooEnsemble launch(int size) {
    ZooEnsemble ensemble = new ZooEnsemble(size);
    List<String> peers = ensemble.members.stream().map(ZooServer::peer).toList();
    ensemble.members.forEach(member -> member.join(peers));
    return ensemble.started();
  }

  /**
   * Starts an empty ensemble whose first server follows, and talks to the others through a network
   * of its own.
   */
  public static ZooEnsemble launchWithTheFirstApart(int size) {
    ZooEnsemble ensemble = new ZooEnsemble(size);
    ZooServer first = ensemble.members.get(0);
    List<ZooServer> others = ensemble.members.subList(1, size);
    List<String> peers = ensemble.members.stream().map(ZooServer::peer).toList();
    others.forEach(member -> member.join(peers));
    List<String> behind = new ArrayList<>(List.of(first.peer()));
    for (ZooServer other : others) {
      NetworkProxy way = NetworkProxy.to(other.quorumPort(), Framing::none);
      ensemble.network.add(way);
      behind.add(other.peerBehind(way.port()));
    }
    first.join(behind);
    ensemble.started();
    if (first.isLeader()) {
      // Another is elected, since there is a majority without it.
      first.restart();
      ensemble.awaitReady();
    }
    return ensemble;
  }

  /** Cuts the first server off from the others, without a word to either side. */
  public void cutTheFirstOff() {
    network.forEach(NetworkProxy::isolate);
  }

  private ZooEnsemble started() {
    try {
      members.forEach(ZooServer::makeData);
      start();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
    return this;
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
    network.forEach(NetworkProxy::close);
    members.forEach(ZooServer::close);
  }
}
