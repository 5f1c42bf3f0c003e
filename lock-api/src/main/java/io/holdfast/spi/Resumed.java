package io.holdfast.spi;

import java.time.Duration;
import java.util.List;

/**
 * A session that was resumed.
 *
 * @param ttl the TTL that the renewal has given
 * @param namespace the namespace's settings
 * @param requests what it holds and waits for, in any order
 */
public record Resumed(Duration ttl, NamespaceSettings namespace, List<RequestKey> requests) {

  /** Copies the list. */
  public Resumed {
    requests = List.copyOf(requests);
  }
}
