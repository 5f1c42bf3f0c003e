package io.holdfast.testing.etcd;

import io.holdfast.tck.network.Delivery;
import io.holdfast.tck.network.Framing;
import io.holdfast.tck.network.NetworkProxy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The ways by which the members of an etcd cluster reach each other: a proxy in front of each. A
 * member says in each request to another who it is.
 */
final class PeerNetwork implements AutoCloseable {

  private final Map<EtcdServer, NetworkProxy> ways = new LinkedHashMap<>();

  /** Stands in front of members that were not started yet. */
  PeerNetwork(List<EtcdServer> members) {
    for (EtcdServer member : members) {
      NetworkProxy way = NetworkProxy.to(member.peerPort(), Framing::none);
      ways.put(member, way);
      member.reachedAt(way.port());
    }
  }

  /** Lets nothing pass between one member and the others. */
  void cutOff(EtcdServer member) {
    String sender = "X-Server-From: " + member.id();
    ways.forEach(
        (to, way) -> {
          if (to == member) {
            way.refuse();
          } else {
            way.decide(message -> message.text().contains(sender) ? Delivery.CUT : Delivery.PASS);
          }
          way.cut();
        });
  }

  void heal() {
    ways.values().forEach(NetworkProxy::heal);
  }

  @Override
  public void close() {
    ways.values().forEach(NetworkProxy::close);
  }
}
