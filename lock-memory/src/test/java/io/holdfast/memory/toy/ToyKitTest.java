package io.holdfast.memory.toy;

import io.holdfast.tck.process.ConcurrencyRules;
import io.holdfast.tck.process.CrashRules;
import io.holdfast.tck.process.DisturbedWorkRules;
import io.holdfast.tck.process.ProcessSubject;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The rules accept a store without a flaw. */
@Execution(ExecutionMode.CONCURRENT)
class ToyKitTest implements ConcurrencyRules, CrashRules, DisturbedWorkRules {

  @TempDir Path directory;

  @Override
  public ProcessSubject processSubject() {
    return new ToySubject(directory, Flaw.NONE, Duration.ofSeconds(1), Duration.ofSeconds(30));
  }

  /** Left out: a toy has nothing to gain from it. */
  @Override
  public void clientsOfSeveralProcessesNeverHoldTogetherForLong() {}

  /** Left out: a toy has nothing to gain from it. */
  @Override
  public void processesThatAreKilledAndPausedAtWorkDoNoHarmForLong() {}
}
