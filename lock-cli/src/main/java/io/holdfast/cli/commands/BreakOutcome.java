package io.holdfast.cli.commands;

import io.holdfast.cli.output.Durations;
import io.holdfast.cli.output.ExitCode;
import io.holdfast.cli.output.LockView;
import io.holdfast.record.Holder;
import io.holdfast.record.Revocation;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The outcome for one of those who hold a lock, or share it.
 *
 * @param passesOnWithin when it does not keep the lock any more, at the latest; empty if it is not
 *     evicted
 */
record BreakOutcome(Holder holder, Kind kind, Optional<Duration> passesOnWithin) {

  /** From the best to the worst. */
  enum Kind {
    FREED(0),
    MARKED(0),
    DECLINED(ExitCode.DECLINED),
    CHANGED(ExitCode.TRY_AGAIN);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    int exitCode() {
      return code;
    }

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static BreakOutcome declined(Holder holder) {
    return new BreakOutcome(holder, Kind.DECLINED, Optional.empty());
  }

  static BreakOutcome of(Holder holder, Revocation revocation) {
    if (revocation instanceof Revocation.Marked marked) {
      return new BreakOutcome(holder, Kind.MARKED, Optional.of(marked.remaining()));
    }
    return revocation instanceof Revocation.Freed
        ? new BreakOutcome(holder, Kind.FREED, Optional.of(Duration.ZERO))
        : new BreakOutcome(holder, Kind.CHANGED, Optional.empty());
  }

  static Kind worst(List<BreakOutcome> outcomes) {
    return outcomes.stream().map(BreakOutcome::kind).max(Comparator.naturalOrder()).orElseThrow();
  }

  /** When none of them keeps the lock any more; empty if not all are evicted. */
  static Optional<Duration> allPassOnWithin(List<BreakOutcome> outcomes) {
    return outcomes.stream().allMatch(each -> each.passesOnWithin.isPresent())
        ? outcomes.stream()
            .flatMap(each -> each.passesOnWithin.stream())
            .max(Comparator.naturalOrder())
        : Optional.empty();
  }

  /**
   * Returns the outcome as people are told it.
   *
   * @param lock its name in quotes
   * @param atOnce whether the holder was not waited for
   */
  String text(String lock, boolean atOnce) {
    String who = LockView.who(holder);
    return switch (kind) {
      case MARKED ->
          "%s is evicted from %s: the lock passes on when this holder has released it, in %s at the latest"
              .formatted(who, lock, Durations.show(passesOnWithin.orElseThrow()));
      case FREED -> {
        String warning =
            "; the evicted holder may still be at work until its next heartbeat tells it";
        yield "%s is evicted from %s, which has passed on at once%s"
            .formatted(who, lock, atOnce ? warning : "");
      }
      case DECLINED -> "nothing was done";
      case CHANGED -> "%s does not hold %s any more: nothing was done".formatted(who, lock);
    };
  }

  Map<String, @Nullable Object> json() {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("process", holder.process().value());
    fields.put("request", holder.request().toString());
    fields.put("outcome", kind.text());
    fields.put("passesOnWithinMillis", passesOnWithin.map(Duration::toMillis).orElse(null));
    return fields;
  }
}
