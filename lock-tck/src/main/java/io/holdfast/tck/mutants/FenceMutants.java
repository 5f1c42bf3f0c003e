package io.holdfast.tck.mutants;

import io.holdfast.FencingToken;
import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.Sequencer;
import io.holdfast.error.LockLostException;
import io.holdfast.record.LockRecord;
import io.holdfast.tck.adapter.FencedWriteRules;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** Mistakes in the conditions on a grant under which an application writes to the store. */
public final class FenceMutants {

  private FenceMutants() {}

  /** Returns all that can be made of any store whose numbers stay the same over a downgrade. */
  public static List<FenceMutant> all() {
    return List.of(
        FenceMutant.of(
            "condition-without-effect",
            "What was given back is written under no more",
            target -> new Spoiled(target, FenceMutants::writtenAnyhow),
            "FencedWriteRules.aHolderWritesUntilItHasGivenBack"),
        FenceMutant.of(
            "condition-on-the-lock",
            "A condition is about one grant: another holder's lock is not enough",
            target -> new Spoiled(target, FenceMutants::whoeverHolds),
            "FencedWriteRules.aHolderThatWasOvertakenWritesNothingAlthoughItBelieves"),
        FenceMutant.of(
            "mode-compared-when-made",
            "An exclusive holder's late write is refused once the lock is shared",
            target -> new Spoiled(target, FenceMutants::modeComparedWhenMade),
            "FencedWriteRules.whatAnExclusiveHolderHasSentIsRefusedOnceItShares"),
        FenceMutant.of(
            "made-in-another-mode",
            "No condition is made for a mode in which the lock is not held any more",
            target -> new Spoiled(target, FenceMutants::madeInAnyMode),
            "FencedWriteRules.aHolderThatSharesIsNoExclusiveOneAnyMore"),
        FenceMutant.of(
            "revoked-is-gone",
            "Whoever is revoked with notice holds until then",
            target -> new Spoiled(target, FenceMutants::unrevokedOnly),
            "FencedWriteRules.oneThatIsRevokedWithNoticeWritesUntilThen"));
  }

  /** The write is not made dependent on the condition. */
  private static FencedWriteRules.Fenced writtenAnyhow(
      FencedWriteRules target, Sequencer sequencer) {
    FencedWriteRules.Fenced made = target.fencedBy(sequencer);
    return value -> {
      boolean ignored = made.write(value);
      return true;
    };
  }

  /** The condition is that the lock is held. */
  private static FencedWriteRules.Fenced whoeverHolds(
      FencedWriteRules target, Sequencer sequencer) {
    FencedWriteRules.Fenced unused = target.fencedBy(sequencer);
    return value -> {
      Optional<Sequencer> holder =
          found(target, sequencer.name()).flatMap(FenceMutants::firstHolder);
      return holder.isPresent() && target.fencedBy(holder.get()).write(value);
    };
  }

  /** Made only in the right mode, it is about the number alone, which a downgrade keeps. */
  private static FencedWriteRules.Fenced modeComparedWhenMade(
      FencedWriteRules target, Sequencer sequencer) {
    FencedWriteRules.Fenced unused = target.fencedBy(sequencer);
    return target.fencedBy(shared(sequencer));
  }

  private static FencedWriteRules.Fenced madeInAnyMode(
      FencedWriteRules target, Sequencer sequencer) {
    try {
      return target.fencedBy(sequencer);
    } catch (LockLostException e) {
      return target.fencedBy(shared(sequencer));
    }
  }

  /** A holder that was given notice counts as gone, though time is left. */
  private static FencedWriteRules.Fenced unrevokedOnly(
      FencedWriteRules target, Sequencer sequencer) {
    FencedWriteRules.Fenced made = target.fencedBy(sequencer);
    return value ->
        found(target, sequencer.name()).stream()
                .flatMap(lock -> lock.holders().stream())
                .allMatch(holder -> holder.revokedAt().isEmpty())
            && made.write(value);
  }

  private static Optional<LockRecord> found(FencedWriteRules target, LockName name) {
    try (LockClient client = target.connect()) {
      return client.find(name.value());
    }
  }

  private static Optional<Sequencer> firstHolder(LockRecord lock) {
    return lock.holder()
        .map(
            holder ->
                new Sequencer(
                    lock.name(), holder.mode(), FencingToken.of(lock.numberOf(holder), 0)));
  }

  private static Sequencer shared(Sequencer sequencer) {
    return new Sequencer(sequencer.name(), LockMode.SHARED, sequencer.token());
  }

  private record Spoiled(
      FencedWriteRules target, BiFunction<FencedWriteRules, Sequencer, Fenced> mistake)
      implements FencedWriteRules {

    @Override
    public LockClient connect() {
      return target.connect();
    }

    @Override
    public Fenced fencedBy(Sequencer sequencer) {
      return mistake.apply(target, sequencer);
    }
  }
}
