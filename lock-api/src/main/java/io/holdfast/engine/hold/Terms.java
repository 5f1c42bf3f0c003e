package io.holdfast.engine.hold;

import io.holdfast.AcquireOptions;
import java.time.Duration;

/**
 * What a thread asks for.
 *
 * @param options its options
 * @param ttl the TTL of its session
 */
public record Terms(AcquireOptions options, Duration ttl) {}
