package io.holdfast.tck.mutants;

import io.holdfast.tck.mutants.engine.AsyncMutants;
import io.holdfast.tck.mutants.engine.ElectionMutants;
import io.holdfast.tck.mutants.engine.EngineMutants;
import io.holdfast.tck.mutants.engine.HoldMutants;
import io.holdfast.tck.mutants.engine.StayMutants;
import io.holdfast.tck.mutants.engine.WatchMutants;
import java.util.List;
import java.util.stream.Stream;

/** The catalogue. A mutant of any part is a name, the rule it breaks, and the tests that notice. */
public final class Mutants {

  private Mutants() {}

  /** Returns all that can be made of any store. */
  public static List<Mutant> all() {
    return Stream.of(
            SessionMutants.all(),
            GrabMutants.all(),
            OvertakeMutants.all(),
            ReleaseMutants.all(),
            LookMutants.all(),
            RevokeMutants.all(),
            NameMutants.all(),
            RecordMutants.all(),
            NamespaceMutants.all(),
            WaitMutants.all(),
            WatchMutants.all(),
            TimeMutants.all(),
            LossMutants.all(),
            EngineMutants.all(),
            HoldMutants.all(),
            ResumeMutants.all(),
            ElectionMutants.all(),
            AsyncMutants.all(),
            SharedMutants.all(),
            StayMutants.all(),
            ConductMutants.all(),
            DeadlineMutants.all())
        .flatMap(List::stream)
        .toList();
  }

  /** Returns those of {@link #all} that break a rule marked †. */
  public static List<Mutant> marked() {
    return all().stream().filter(mutant -> mutant.breaks().startsWith("†")).toList();
  }
}
