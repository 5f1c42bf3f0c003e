package io.holdfast.cli.commands;

import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.options.DurationConverter;
import io.holdfast.cli.options.SharedOptions;
import io.holdfast.cli.options.StoreOptions;
import io.holdfast.cli.options.UsesStore;
import io.holdfast.cli.output.Durations;
import io.holdfast.cli.output.ExitCode;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.output.LockView;
import io.holdfast.cli.output.Messages;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Revokes the grant of a lock's holder. */
@Command(
    name = "break",
    description = "Evict the holder of a lock, so that the lock passes on.",
    versionProvider = SharedOptions.Version.class)
final class BreakCommand implements Callable<Integer>, UsesStore {

  private final Surroundings surroundings;

  @Mixin private SharedOptions shared = new SharedOptions();
  @Mixin private StoreOptions store = new StoreOptions();
  @Spec private CommandSpec spec;

  @Option(
      names = "--now",
      description =
          "Do not wait until the holder has been told. The evicted holder may go on working while"
              + " the next one holds the lock: only a resource that checks fencing tokens is safe"
              + " from that.")
  private boolean now;

  @Option(
      names = "--in",
      paramLabel = "DURATION",
      converter = DurationConverter.class,
      description =
          "Give the holder this time: it is told how much of it is left, and may hold the lock until"
              + " then. The lock stays taken for one whole TTL in any case. At most a day.")
  private @Nullable Duration notice;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask for confirmation.")
  private boolean yes;

  @Option(names = "--json", description = "Print a JSON object with the outcome.")
  private boolean json;

  @Parameters(paramLabel = "NAME", description = "The lock's name.")
  private String name;

  BreakCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public StoreOptions store() {
    return store;
  }

  @Override
  public Integer call() {
    LockName lockName = new LockName(name);
    if (!yes) {
      new Confirmation(surroundings).requireTerminal(spec.commandLine());
    }
    if (now && notice != null) {
      throw new ParameterException(
          spec.commandLine(), "--now and --in cannot be had together: choose one of them");
    }
    Messages messages = new Messages(surroundings.err(), shared.quiet());
    try (LockClient client = store.connect(surroundings, messages, event -> {})) {
      LockRecord seen = client.find(name).orElseGet(() -> LockRecord.unknown(lockName));
      if (seen.holders().isEmpty()) {
        return report("free", seen, null, quoted() + " has no holder: nothing was done", 0);
      }
      int worst = 0;
      for (Holder holder : seen.holders()) {
        worst = Math.max(worst, breakGrant(client, seen, holder));
      }
      return worst;
    }
  }

  /** Each of those who share a lock is asked about, and evicted, by itself. */
  private int breakGrant(LockClient client, LockRecord seen, Holder holder) {
    if (!yes && !isConfirmed(holder)) {
      return report("declined", seen, null, "nothing was done", ExitCode.DECLINED);
    }
    return report(seen, holder, revoke(client, seen, holder));
  }

  private Revocation revoke(LockClient client, LockRecord seen, Holder holder) {
    if (notice != null) {
      return client.revokeIn(seen, holder, notice);
    }
    return client.revoke(seen, holder, now ? RevokeWhen.NOW : RevokeWhen.SAFELY);
  }

  private boolean isConfirmed(Holder holder) {
    return new Confirmation(surroundings)
        .isGiven(
            "%s is held by %s since %s%s.%n%s Evict it?"
                .formatted(
                    quoted(),
                    LockView.who(holder),
                    holder.since(),
                    holder.why().isEmpty() ? "" : ": " + LockView.clean(holder.why()),
                    consequence()));
  }

  private String consequence() {
    if (now) {
      return "With --now the lock passes on at once, and the evicted holder may go on working while"
          + " the next one holds it.";
    }
    return "The lock passes on when its holder has released it, or after "
        + (notice == null ? "one whole TTL." : Durations.show(notice) + ".");
  }

  private int report(LockRecord seen, Holder holder, Revocation revocation) {
    String who = LockView.who(holder);
    if (revocation instanceof Revocation.Marked marked) {
      return report(
          "marked",
          seen,
          marked.remaining(),
          "%s is evicted from %s: the lock passes on when this holder has released it, in %s at the latest"
              .formatted(who, quoted(), Durations.show(marked.remaining())),
          0);
    }
    if (revocation instanceof Revocation.Freed) {
      String warning =
          now ? "; the evicted holder may still be at work until its next heartbeat tells it" : "";
      return report(
          "freed",
          seen,
          Duration.ZERO,
          who + " is evicted from " + quoted() + ", which has passed on at once" + warning,
          0);
    }
    return report(
        "changed",
        seen,
        null,
        who + " does not hold " + quoted() + " any more: nothing was done",
        ExitCode.TRY_AGAIN);
  }

  private int report(
      String outcome, LockRecord seen, @Nullable Duration passesOnWithin, String text, int code) {
    if (json) {
      Map<String, @Nullable Object> fields = new LinkedHashMap<>();
      fields.put("name", name);
      fields.put("outcome", outcome);
      fields.put("passesOnWithinMillis", passesOnWithin == null ? null : passesOnWithin.toMillis());
      fields.put("seen", LockView.json(seen));
      surroundings.out().println(Json.write(fields));
    } else if (!shared.quiet()) {
      surroundings.out().println(text);
    }
    return code;
  }

  private String quoted() {
    return '"' + LockView.clean(name) + '"';
  }
}
