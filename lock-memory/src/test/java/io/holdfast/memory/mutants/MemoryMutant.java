package io.holdfast.memory.mutants;

import io.holdfast.memory.MemoryOptions;
import io.holdfast.memory.MemoryOptions.HandOver;
import io.holdfast.memory.MemoryRules;
import io.holdfast.memory.MemoryTckStore;
import io.holdfast.tck.mutants.Mutant;
import io.holdfast.tck.store.TckStore;
import java.util.List;

/** A mutant of the store in memory: the mistake is in what the store decides inside. */
record MemoryMutant(String name, String breaks, List<String> rejectedBy, MemoryOptions options)
    implements Mutant {

  /** Clients hand over in several steps. */
  static final MemoryOptions IN_STEPS = MemoryOptions.DEFAULTS.handOver(HandOver.STEPS);

  static Mutant of(String name, String breaks, MemoryOptions options, String... rejectedBy) {
    return new MemoryMutant(name, breaks, List.of(rejectedBy), options);
  }

  static Mutant of(String name, String breaks, MemoryRules rules, String... rejectedBy) {
    return of(name, breaks, MemoryOptions.DEFAULTS.rules(rules), rejectedBy);
  }

  @Override
  public TckStore spoil(TckStore original) {
    return new MemoryTckStore(options);
  }
}
