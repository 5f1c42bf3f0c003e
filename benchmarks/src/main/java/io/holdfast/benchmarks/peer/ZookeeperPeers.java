package io.holdfast.benchmarks.peer;

import io.holdfast.benchmarks.contender.Contender;
import java.util.List;

/** The peers on ZooKeeper. */
public final class ZookeeperPeers {

  private ZookeeperPeers() {}

  /** Returns those of a server, given as {@code HOST:PORT}. */
  public static List<Contender> all(String address) {
    return List.of(new CuratorPeer(address));
  }
}
