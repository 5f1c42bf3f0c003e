package io.holdfast.spi.answer;

import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.RequestKey;
import java.time.Duration;
import java.util.List;

/**
 * A session that was resumed.
 *
 * @param ttl the TTL that the renewal has granted
 * @param namespace the namespace's settings
 * @param requests the requests that hold or wait, in any order
 */
public record Resumed(Duration ttl, NamespaceSettings namespace, List<RequestKey> requests) {

  /** Copies the list. */
  public Resumed {
    requests = List.copyOf(requests);
  }
}
