package io.holdfast.benchmarks.simulation;

import java.time.Duration;

/**
 * How many sessions, and for how long.
 *
 * @param sessions how many live at the same time, each with one lock
 * @param ttl of each
 * @param measured how long their heartbeats are measured, once all are open
 * @param backends over how many connected clients they are spread
 * @param threadsPerBackend how many heartbeats of a client are under way at the same time at most
 */
public record FleetPlan(
    int sessions, Duration ttl, Duration measured, int backends, int threadsPerBackend) {}
