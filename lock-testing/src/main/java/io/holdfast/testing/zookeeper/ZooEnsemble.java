package io.holdfast.testing.zookeeper;

import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.server.ServerCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A ZooKeeper ensemble of several servers. */
public final class ZooEnsemble extends ServerCluster<ZooServer> {

  /** Between the first and the others, if it is apart. */
  private final List<NetworkProxy> network = new ArrayList<>();

  private ZooEnsemble(int size) {
    super(IntStream.rangeClosed(1, size).mapToObj(id -> new ZooServer(id, List.of())).toList());
  }

  /** Starts an empty ensemble. */
  public static ZooEnsemble launch(int size) {
    ZooEnsemble ensemble = new ZooEnsemble(size);
    List<String> peers = ensemble.peers();
    ensemble.members().forEach(member -> member.join(peers));
    ensemble.startEmpty();
    return ensemble;
  }

  /**
   * Starts an empty ensemble whose first server follows, and talks to the others through a network
   * of its own.
   */
  public static ZooEnsemble launchWithTheFirstApart(int size) {
    ZooEnsemble ensemble = new ZooEnsemble(size);
    ZooServer first = ensemble.members().get(0);
    List<ZooServer> others = ensemble.members().subList(1, size);
    List<String> peers = ensemble.peers();
    others.forEach(member -> member.join(peers));
    List<String> behind = new ArrayList<>(List.of(first.peer()));
    for (ZooServer other : others) {
      NetworkProxy way = NetworkProxy.to(other.quorumPort(), Framing::none);
      ensemble.network.add(way);
      behind.add(other.peerBehind(way.port()));
    }
    first.join(behind);
    ensemble.startEmpty();
    if (first.isLeader()) {
      // Another is elected, since there is a majority without it.
      first.restart();
      ensemble.awaitReady();
    }
    return ensemble;
  }

  private List<String> peers() {
    return members().stream().map(ZooServer::peer).toList();
  }

  private void startEmpty() {
    startFirst(() -> members().forEach(ZooServer::makeData));
  }

  /**
   * Makes the first server lag: what it and its leader tell each other arrives later by that time.
   */
  public void letTheFirstLag(Duration time) {
    network.forEach(way -> way.delay(time));
  }

  /** Returns of each member what tells why it may not answer. */
  public String states() {
    return members().stream().map(ZooServer::state).collect(Collectors.joining("\n"));
  }

  /** Cuts the first server off from the others, without a word to either side. */
  public void cutTheFirstOff() {
    network.forEach(NetworkProxy::isolate);
  }

  @Override
  public void close() {
    network.forEach(NetworkProxy::close);
    super.close();
  }
}
