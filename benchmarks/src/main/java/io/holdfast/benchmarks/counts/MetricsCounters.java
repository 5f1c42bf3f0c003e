package io.holdfast.benchmarks.counts;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The counters of etcd's metrics. */
final class MetricsCounters implements ServerCounters {

  private static final Pattern LINE =
      Pattern.compile(
          "^(\\w+)(?:\\{grpc_method=\"(\\w+)\"[^}]*?(unary)?\"})? ([0-9.e+-]+)$",
          Pattern.MULTILINE);

  private static final String REQUESTS = "grpc_server_msg_received_total";
  private static final String SECONDS = "grpc_server_handling_seconds_sum";
  private static final String LOGGED = "etcd_disk_wal_write_bytes_total";

  /** The operations inside of requests, by the name of the metric. */
  private static final Map<String, String> INNER =
      Map.of(
          "etcd_mvcc_range_total", "range",
          "etcd_mvcc_put_total", "put",
          "etcd_mvcc_delete_total", "delete",
          "etcd_debugging_lease_renewed_total", "lease renewed",
          "etcd_debugging_lease_granted_total", "lease granted",
          "etcd_debugging_lease_revoked_total", "lease revoked");

  private final Supplier<String> metrics;

  MetricsCounters(Supplier<String> metrics) {
    this.metrics = metrics;
  }

  @Override
  public Reading read() {
    Map<String, Double> commands = new TreeMap<>();
    Map<Figure, Double> figures = new HashMap<>();
    Matcher line = LINE.matcher(metrics.get());
    while (line.find()) {
      String name = line.group(1);
      double value = Double.parseDouble(line.group(4));
      if (name.equals(REQUESTS)) {
        commands.merge(line.group(2), value, Double::sum);
      } else if (name.equals(SECONDS)) {
        // A stream's time is that of its whole life.
        if (line.group(3) != null) {
          figures.merge(Figure.SERVER_MICROS, value * 1e6, Double::sum);
        }
      } else if (name.equals(LOGGED)) {
        figures.put(Figure.WRITTEN_BYTES, value);
      } else if (INNER.containsKey(name)) {
        commands.put(INNER.get(name), value);
        figures.merge(Figure.COMMANDS, value, Double::sum);
      }
    }
    return new Reading(figures, commands);
  }
}
