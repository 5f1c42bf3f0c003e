package io.holdfast.cli.commands;

import io.holdfast.LockClient;
import io.holdfast.LockName;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.options.DurationConverter;
import io.holdfast.cli.options.SharedOptions;
import io.holdfast.cli.options.StoreOptions;
import io.holdfast.cli.options.UsesStore;
import io.holdfast.cli.output.Durations;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.output.LockView;
import io.holdfast.cli.output.Messages;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Revocation;
import io.holdfast.record.RevokeWhen;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  @Option(
      names = "--json",
      description = "Print a JSON object with the outcome for each holder, and the worst of them.")
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
        say(quoted() + " has no holder: nothing was done");
        printJson("free", Optional.empty(), List.of(), seen);
        return 0;
      }
      List<BreakOutcome> outcomes = new ArrayList<>();
      try {
        for (Holder holder : seen.holders()) {
          BreakOutcome outcome = breakGrant(client, seen, holder);
          say(outcome.text(quoted(), now));
          outcomes.add(outcome);
        }
      } catch (RuntimeException e) {
        if (!outcomes.isEmpty()) { // Outcomes so far are told, even if the rest failed.
          print(outcomes, seen);
        }
        throw e;
      }
      print(outcomes, seen);
      return BreakOutcome.worst(outcomes).exitCode();
    }
  }

  private void print(List<BreakOutcome> outcomes, LockRecord seen) {
    printJson(
        BreakOutcome.worst(outcomes).text(),
        BreakOutcome.allPassOnWithin(outcomes),
        outcomes,
        seen);
  }

  /** Each of those who share a lock is asked about, and evicted, by itself. */
  private BreakOutcome breakGrant(LockClient client, LockRecord seen, Holder holder) {
    return yes || isConfirmed(holder)
        ? BreakOutcome.of(holder, revoke(client, seen, holder))
        : BreakOutcome.declined(holder);
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
        + (notice == null
            ? "one whole TTL."
            : Durations.show(notice) + ", or one whole TTL of its session if that is longer.");
  }

  private void say(String text) {
    if (!json && !shared.quiet()) {
      surroundings.out().println(text);
    }
  }

  private void printJson(
      String outcome,
      Optional<Duration> passesOnWithin,
      List<BreakOutcome> outcomes,
      LockRecord seen) {
    if (!json) {
      return;
    }
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("outcome", outcome);
    fields.put("passesOnWithinMillis", passesOnWithin.map(Duration::toMillis).orElse(null));
    fields.put("outcomes", outcomes.stream().map(BreakOutcome::json).toList());
    fields.put("seen", LockView.json(seen));
    surroundings.out().println(Json.write(fields));
  }

  private String quoted() {
    return '"' + LockView.clean(name) + '"';
  }
}
