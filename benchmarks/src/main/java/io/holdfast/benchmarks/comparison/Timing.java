package io.holdfast.benchmarks.comparison;

import java.time.Duration;

/**
 * How long a comparison takes.
 *
 * @param rounds how many rounds there are
 * @param batch how long a batch takes; each contender has one in each round
 * @param warmup how long each contender runs before the first round
 * @param doublings how often the batches of a round are doubled if the rounds do not agree
 */
public record Timing(int rounds, Duration batch, Duration warmup, int doublings) {}
