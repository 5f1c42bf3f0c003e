package io.holdfast.engine.hold;

import io.holdfast.AcquireOptions;
import java.time.Duration;

/**
 * The terms on which a thread asks for a lock.
 *
 * @param options its options
 * @param ttl the TTL of its session
 */
public record Terms(AcquireOptions options, Duration ttl) {}
