package io.holdfast.testing.etcd;

import io.holdfast.tck.server.ServerCluster;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An etcd cluster of several members, with short elections, but not so short that members of a busy
 * machine depose each other.
 */
public final class EtcdCluster extends ServerCluster<EtcdServer> {

  private static final List<String> QUICK =
      List.of("--heartbeat-interval=100", "--election-timeout=1500");

  private final PeerNetwork network;

  private EtcdCluster(List<EtcdServer> members) {
    super(members);
    this.network = new PeerNetwork(members);
  }

  /** Starts an empty cluster. */
  public static EtcdCluster launch(int size) {
    EtcdCluster cluster =
        new EtcdCluster(
            IntStream.range(0, size).mapToObj(i -> new EtcdServer("m" + i, QUICK)).toList());
    String all = cluster.members().stream().map(EtcdServer::peer).collect(Collectors.joining(","));
    cluster.startFirst(() -> cluster.members().forEach(member -> member.join(all)));
    return cluster;
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

  @Override
  public void close() {
    super.close();
    network.close();
  }
}
