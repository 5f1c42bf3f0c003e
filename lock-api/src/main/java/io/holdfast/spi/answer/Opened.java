package io.holdfast.spi.answer;

import io.holdfast.spi.NamespaceSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A session was opened.
 *
 * @param ttl the granted TTL, which may differ from the requested one
 * @param namespace the namespace's settings
 * @param storeTime the store's clock at this moment; empty if the store does not tell it
 */
public record Opened(Duration ttl, NamespaceSettings namespace, Optional<Instant> storeTime) {}
