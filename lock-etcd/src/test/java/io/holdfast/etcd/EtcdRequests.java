package io.holdfast.etcd;

import io.holdfast.testing.etcd.EtcdServer;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a server says it has been asked for, by the method's name. */
final class EtcdRequests {

  private static final Pattern STARTED =
      Pattern.compile("grpc_server_msg_received_total\\{grpc_method=\"(\\w+)\".*} ([0-9.e+]+)");

  private final EtcdServer server;
  private Map<String, Long> before;

  EtcdRequests(EtcdServer server) {
    this.server = server;
    this.before = read();
  }

  /** Returns how often each method was asked for since the last call. */
  Map<String, Long> sinceLast() {
    Map<String, Long> now = read();
    Map<String, Long> since = new TreeMap<>();
    now.forEach(
        (method, count) -> {
          long more = count - before.getOrDefault(method, 0L);
          if (more > 0) {
            since.put(method, more);
          }
        });
    before = now;
    return since;
  }

  /** Returns how often a method was asked for so far. */
  long soFar(String method) {
    return read().getOrDefault(method, 0L);
  }

  private Map<String, Long> read() {
    Map<String, Long> counts = new TreeMap<>();
    Matcher line = STARTED.matcher(server.metrics());
    while (line.find()) {
      counts.merge(line.group(1), (long) Double.parseDouble(line.group(2)), Long::sum);
    }
    return counts;
  }
}
