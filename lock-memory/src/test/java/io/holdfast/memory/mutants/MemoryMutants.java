package io.holdfast.memory.mutants;

import io.holdfast.tck.mutants.Mutant;
import java.util.List;
import java.util.stream.Stream;

/** The catalogue of those that are the store in memory with another decision. */
final class MemoryMutants {

  private MemoryMutants() {}

  static List<Mutant> all() {
    return Stream.of(
            StepsMutants.all(),
            QueueMutants.all(),
            SharedMutants.all(),
            StayMutants.all(),
            NumberMutants.all(),
            ClockMutants.all(),
            IncarnationMutants.all(),
            RevocationMutants.all(),
            ExpiryMutants.all())
        .flatMap(List::stream)
        .toList();
  }
}
