package io.holdfast.etcd.format;

import io.etcd.jetcd.KeyValue;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A session, as it is stored: {@code SECONDS PROCESS}. A session that was created again under the
 * same key, or that was found in another cluster, is a different session.
 *
 * @param revision the revision that created it
 * @param lease the lease to which all keys of the session are attached
 * @param ttl the TTL that was granted
 * @param cluster the cluster in which it was found
 */
public record StoredSession(long revision, long lease, Duration ttl, long cluster) {

  public static StoredSession of(KeyValue entry, long cluster) {
    String value = entry.getValue().toString(StandardCharsets.UTF_8);
    long seconds = Long.parseLong(value.substring(0, value.indexOf(' ')));
    return new StoredSession(
        entry.getCreateRevision(), entry.getLease(), Duration.ofSeconds(seconds), cluster);
  }

  public boolean isStill(KeyValue entry, long inCluster) {
    return entry.getCreateRevision() == revision
        && entry.getLease() == lease
        && inCluster == cluster;
  }
}
