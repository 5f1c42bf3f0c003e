package io.holdfast.tck.process.actor;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;

import io.holdfast.LockMode;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Random work.
 *
 * @param clients how many clients at a time
 * @param workersPerClient how many threads use each
 * @param duration for how long they begin new requests
 * @param seed of all random choices; the interleaving of threads is not repeated with it
 * @param disturbance what happens to them
 * @param modes the modes in which they ask for locks
 * @param atLeast the longest least time that they ask for; zero if they ask for none
 * @param lockDelay the lock-delay that some of them ask for; zero if none does
 */
public record WorkloadSpec(
    int clients,
    int workersPerClient,
    Duration duration,
    long seed,
    Disturbance disturbance,
    Set<LockMode> modes,
    Duration atLeast,
    Duration lockDelay) {

  /** Copies the set. */
  public WorkloadSpec {
    modes = Set.copyOf(modes);
  }

  static WorkloadSpec parse(String text) {
    String[] words = text.split(" ", -1);
    return new WorkloadSpec(
        Integer.parseInt(words[0]),
        Integer.parseInt(words[1]),
        Duration.ofMillis(Long.parseLong(words[2])),
        Long.parseLong(words[3]),
        Disturbance.valueOf(words[4]),
        Stream.of(words[5].split(",", -1)).map(LockMode::valueOf).collect(toSet()),
        Duration.ofMillis(Long.parseLong(words[6])),
        Duration.ofMillis(Long.parseLong(words[7])));
  }

  /** Returns the text that {@link #parse} reads. */
  @Override
  public String toString() {
    String modeNames = modes.stream().map(LockMode::name).collect(joining(","));
    return "%s %s %s %s %s %s %s %s"
        .formatted(
            clients,
            workersPerClient,
            duration.toMillis(),
            seed,
            disturbance,
            modeNames,
            atLeast.toMillis(),
            lockDelay.toMillis());
  }
}
