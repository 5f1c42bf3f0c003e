package io.holdfast.spi;

import io.holdfast.ProcessIdentity;
import io.holdfast.SessionId;
import java.time.Duration;

/**
 * A session to be opened.
 *
 * @param id its id, never used before
 * @param ttl how long the session lasts without a renewal; positive, whole milliseconds
 * @param partition the partition whose locks it serves
 * @param process the identity of the process that opens it
 */
public record SessionSpec(SessionId id, Duration ttl, int partition, ProcessIdentity process) {}
