package io.holdfast.tck.adapter;

import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.NetworkProxy;
import io.holdfast.tck.server.MemberServer;
import io.holdfast.tck.server.ServerCluster;
import java.util.List;
import java.util.stream.Collectors;

/** A cluster, and a way to each of its members by which clients reach it. */
public final class ReachableCluster implements AutoCloseable {

  private final ServerCluster<? extends MemberServer> servers;
  private final List<NetworkProxy> ways;

  /** Takes over a cluster, to be closed with this. */
  public ReachableCluster(ServerCluster<? extends MemberServer> servers) {
    this.servers = servers;
    this.ways =
        servers.members().stream()
            .map(member -> NetworkProxy.to(member.port(), Framing::none))
            .toList();
  }

  ServerCluster<? extends MemberServer> servers() {
    return servers;
  }

  List<NetworkProxy> ways() {
    return ways;
  }

  /** Returns the addresses of all ways, with commas between them. */
  String addresses() {
    return ways.stream().map(way -> "127.0.0.1:" + way.port()).collect(Collectors.joining(","));
  }

  void heal() {
    ways.forEach(NetworkProxy::heal);
    servers.awaitReady();
  }

  @Override
  public void close() {
    ways.forEach(NetworkProxy::close);
    servers.close();
  }
}
