package io.holdfast.tck.mutants;

import io.holdfast.error.BadRequestException;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.NamespaceSettings;
import io.holdfast.spi.NamespaceWish;
import io.holdfast.spi.SessionSpec;
import io.holdfast.spi.answer.Opened;
import io.holdfast.tck.faults.InterceptedBackend;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/** Mistakes about the settings that all clients share. */
final class NamespaceMutants {

  private NamespaceMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.ofStore(
            "different-setting-ignored",
            "† A setting that differs is refused: two clients that disagree split a lock in two",
            () -> NamespaceMutants::ignoringDifference,
            "NamespaceRules.aSettingThatDiffersIsRefused",
            "NamespaceRules.aDefaultThatWasWrittenIsASettingLikeAnyOther",
            "NamespaceRules.aClientThatWasRefusedHasNoSession"),
        Mutant.ofBackend(
            "everybody-has-settings-of-its-own",
            "† A setting that is not given is taken from the namespace",
            NamespaceMutants::tellingDefaults,
            "NamespaceRules.aSettingThatIsNotGivenIsTakenOver",
            "NamespaceRules.whoComesFirstWritesTheSettings"),
        Mutant.ofBackend(
            "ttl-cut-to-the-greatest",
            "A TTL above the greatest is refused",
            NamespaceMutants::shortening,
            "NamespaceRules.aTtlAboveTheGreatestIsRefusedBeforeAnythingChanges"));
  }

  /** Some stores refuse a difference as soon as a client connects. */
  private static LockBackend ignoringDifference(
      BackendOptions options, Function<BackendOptions, LockBackend> store) {
    BackendOptions withoutWish = new BackendOptions(NamespaceWish.NONE, options.restartGuard());
    LockBackend wished;
    try {
      wished = store.apply(options);
    } catch (BadRequestException different) {
      return store.apply(withoutWish);
    }
    return new DifferenceIgnored(wished, store.apply(withoutWish));
  }

  private static final class DifferenceIgnored extends InterceptedBackend {
    private final LockBackend withoutWish;

    DifferenceIgnored(LockBackend target, LockBackend withoutWish) {
      super(target);
      this.withoutWish = withoutWish;
    }

    @Override
    public Opened open(SessionSpec spec, Deadline deadline) {
      try {
        return super.open(spec, deadline);
      } catch (BadRequestException different) {
        return withoutWish.open(spec, deadline);
      }
    }

    @Override
    public void close() {
      super.close();
      withoutWish.close();
    }
  }

  private static LockBackend tellingDefaults(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Opened open(SessionSpec spec, Deadline deadline) {
        Opened opened = super.open(spec, deadline);
        NamespaceSettings own = NamespaceWish.NONE.orDefaults();
        return new Opened(opened.ttl(), own, opened.storeTime());
      }
    };
  }

  private static LockBackend shortening(LockBackend target) {
    return new InterceptedBackend(target) {
      @Override
      public Opened open(SessionSpec spec, Deadline deadline) {
        try {
          return super.open(spec, deadline);
        } catch (BadRequestException tooLong) {
          Duration shorter = Duration.ofSeconds(1);
          return super.open(
              new SessionSpec(spec.id(), shorter, spec.partition(), spec.process()), deadline);
        }
      }
    };
  }
}
