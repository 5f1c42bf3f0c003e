package io.holdfast.benchmarks.peer;

import io.holdfast.benchmarks.contender.Contender;
import java.util.List;

/** The peers on etcd. */
public final class EtcdPeers {

  private EtcdPeers() {}

  /** Returns those of a server, given as {@code HOST:PORT}. */
  public static List<Contender> all(String address) {
    return List.of(new JetcdPeer(address));
  }
}
