package io.holdfast.cli.commands;

import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.options.SharedOptions;
import io.holdfast.cli.options.StoreOptions;
import io.holdfast.cli.options.UsesStore;
import io.holdfast.cli.output.Durations;
import io.holdfast.cli.output.ExitCode;
import io.holdfast.cli.output.Json;
import io.holdfast.cli.output.LockView;
import io.holdfast.cli.output.Messages;
import io.holdfast.record.Retirement;
import io.holdfast.record.Retirement.InUse;
import io.holdfast.record.Retirement.LiveSession;
import io.holdfast.record.Retirement.Retired;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Removes what an older version of the library has stored. */
@Command(
    name = "retire",
    description = {
      "Remove the locks of an older version, so that this version can use the store.",
      "Stop all clients of the older version first. Nothing is removed while one of their sessions"
          + " lives. Fencing tokens go on rising."
    },
    footer = {
      "",
      "Exit code: 0 if they are removed, or there are none; 1 if you said no; 75 if a session lives."
    },
    versionProvider = SharedOptions.Version.class)
final class RetireCommand implements Callable<Integer>, UsesStore {

  private final Surroundings surroundings;

  @Mixin private SharedOptions shared = new SharedOptions();
  @Mixin private StoreOptions store = new StoreOptions();
  @Spec private CommandSpec spec;

  @Option(
      names = {"-y", "--yes"},
      description = "Do not ask for confirmation.")
  private boolean yes;

  @Option(names = "--json", description = "Print a JSON object with the outcome.")
  private boolean json;

  RetireCommand(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public StoreOptions store() {
    return store;
  }

  @Override
  public Integer call() {
    if (yes) {
      new Messages(surroundings.err(), shared.quiet())
          .note("using " + store.named().shown(surroundings));
    } else {
      Confirmation confirmation = new Confirmation(surroundings);
      confirmation.requireTerminal(spec.commandLine());
      if (!confirmation.isGiven(
          "The store is %s.%nClients of the older version cannot use it any more afterwards. Remove what they have stored?"
              .formatted(store.named().shown(surroundings)))) {
        return report("declined", null, "nothing was done", ExitCode.DECLINED);
      }
    }
    return report(store.named().retire(surroundings));
  }

  private int report(Retirement outcome) {
    if (outcome instanceof Retired retired) {
      return report(
          "retired",
          retired.protocol(),
          "what protocol version %s had stored is removed; the next client of this version begins with an empty namespace, and fencing tokens go on rising"
              .formatted(retired.protocol()),
          0);
    }
    if (outcome instanceof InUse used) {
      return refused(used);
    }
    return report("nothing", null, "there are no locks: nothing was done", 0);
  }

  private int refused(InUse used) {
    Messages messages = new Messages(surroundings.err(), false);
    messages.error(
        "nothing was removed, because sessions of protocol version %s live: %s"
            .formatted(
                used.protocol(),
                used.sessions().stream()
                    .map(RetireCommand::text)
                    .collect(Collectors.joining("; "))));
    messages.error(
        "to do: stop these clients, or wait until their sessions have lapsed, and try again");
    if (json) {
      print("inUse", used.protocol(), used.sessions());
    }
    return ExitCode.TRY_AGAIN;
  }

  private static String text(LiveSession live) {
    return "%s (session %s, lapses within %s)"
        .formatted(
            LockView.clean(live.process().value()),
            live.session().value(),
            Durations.show(live.lapsesWithin()));
  }

  private static Map<String, @Nullable Object> json(LiveSession live) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("session", live.session().value());
    fields.put("process", live.process().value());
    fields.put("lapsesWithinMillis", live.lapsesWithin().toMillis());
    return fields;
  }

  private int report(String outcome, @Nullable Integer protocol, String text, int code) {
    if (json) {
      print(outcome, protocol, List.of());
    } else if (!shared.quiet()) {
      surroundings.out().println(text);
    }
    return code;
  }

  private void print(String outcome, @Nullable Integer protocol, List<LiveSession> live) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("outcome", outcome);
    fields.put("protocol", protocol);
    fields.put("sessions", live.stream().map(RetireCommand::json).toList());
    surroundings.out().println(Json.write(fields));
  }
}
