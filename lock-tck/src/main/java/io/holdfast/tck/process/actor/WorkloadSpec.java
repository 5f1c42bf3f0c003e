package io.holdfast.tck.process.actor;

import java.time.Duration;

/**
 * Random work.
 *
 * @param clients how many clients at a time
 * @param workersPerClient how many threads use each
 * @param duration for how long they begin new requests
 * @param seed of all random choices; the interleaving of threads is not repeated with it
 * @param disturbance what happens to them
 */
public record WorkloadSpec(
    int clients, int workersPerClient, Duration duration, long seed, Disturbance disturbance) {

  static WorkloadSpec parse(String text) {
    String[] words = text.split(" ", -1);
    return new WorkloadSpec(
        Integer.parseInt(words[0]),
        Integer.parseInt(words[1]),
        Duration.ofMillis(Long.parseLong(words[2])),
        Long.parseLong(words[3]),
        Disturbance.valueOf(words[4]));
  }

  /** Returns the text that {@link #parse} reads. */
  @Override
  public String toString() {
    return "%d %d %d %d %s"
        .formatted(clients, workersPerClient, duration.toMillis(), seed, disturbance);
  }
}
