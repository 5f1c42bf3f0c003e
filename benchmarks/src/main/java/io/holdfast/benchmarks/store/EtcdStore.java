package io.holdfast.benchmarks.store;

import io.holdfast.benchmarks.contender.Contender;
import io.holdfast.benchmarks.limit.EtcdLimit;
import io.holdfast.benchmarks.peer.EtcdPeers;
import io.holdfast.testing.etcd.EtcdServer;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An etcd server that is a cluster by itself, and writes its log without waiting for its disk. */
final class EtcdStore implements BenchmarkStore {

  private static final Pattern VERSION = Pattern.compile("etcd_server_version\\{.*?=\"([^\"]+)\"");

  private final EtcdServer server = EtcdServer.launch("--unsafe-no-fsync");

  private EtcdStore() {}

  static BenchmarkStore start() {
    return new EtcdStore();
  }

  @Override
  public String uri() {
    return "etcd://" + server.address();
  }

  @Override
  public String earlierUri() {
    return uri() + "/earlier";
  }

  @Override
  public String description() {
    Matcher version = VERSION.matcher(server.metrics());
    return "etcd %s, one member, unsafe-no-fsync, else its defaults"
        .formatted(version.find() ? version.group(1) : "");
  }

  @Override
  public List<Contender> contenders() {
    return Contenders.of(new EtcdLimit(server.address()), uri(), EtcdPeers.all(server.address()));
  }

  @Override
  public void close() {
    server.close();
  }
}
