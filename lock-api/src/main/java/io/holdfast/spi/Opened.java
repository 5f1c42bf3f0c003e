package io.holdfast.spi;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A session was opened.
 *
 * @param ttl the TTL granted, possibly another than asked for
 * @param namespace the namespace's settings
 * @param storeTime the store's clock at this moment, where it has one to tell
 */
public record Opened(Duration ttl, NamespaceSettings namespace, Optional<Instant> storeTime) {}
