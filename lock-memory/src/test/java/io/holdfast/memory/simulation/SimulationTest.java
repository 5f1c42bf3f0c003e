package io.holdfast.memory.simulation;

import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;

/** No two threads believe at once that they hold a lock, and none is stranded. */
class SimulationTest {

  /** Set to a seed to draw its run again. */
  private static final String SEED = "holdfast.simulation.seed";

  @RepeatedTest(60)
  void threadsOfSeveralProcessesNeverHoldTogetherAndAreServed() {
    perform();
  }

  @Tag("soak")
  @RepeatedTest(10_000)
  void threadsOfSeveralProcessesNeverHoldTogetherAndAreServedForLong() {
    perform();
  }

  private static void perform() {
    long seed = Long.getLong(SEED, ThreadLocalRandom.current().nextLong());
    SimulatedRun run = new SimulatedRun(seed);
    try {
      run.perform();
    } catch (RuntimeException | Error e) {
      throw new AssertionError(
          "-D%s=%d draws this run again; the ids of its sessions differ.%n%s"
              .formatted(SEED, seed, run.story()),
          e);
    }
  }
}
