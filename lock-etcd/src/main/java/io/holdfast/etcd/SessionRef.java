package io.holdfast.etcd;

import io.etcd.jetcd.KeyValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A session's key as it was found: {@code SECONDS PROCESS}. A session that was made anew under the
 * same key, or that another cluster knows of, is another one.
 *
 * @param revision the revision that created it
 * @param lease the lease on which it and all that belongs to the session hangs
 * @param ttl the TTL that was granted
 * @param cluster the cluster in which it was found
 */
record SessionRef(long revision, long lease, Duration ttl, long cluster) {

  static SessionRef of(KeyValue entry, long cluster) {
    String value = entry.getValue().toString(StandardCharsets.UTF_8);
    long seconds = Long.parseLong(value.substring(0, value.indexOf(' ')));
    return new SessionRef(
        entry.getCreateRevision(), entry.getLease(), Duration.ofSeconds(seconds), cluster);
  }

  boolean isStill(KeyValue entry, long inCluster) {
    return entry.getCreateRevision() == revision
        && entry.getLease() == lease
        && inCluster == cluster;
  }
}
