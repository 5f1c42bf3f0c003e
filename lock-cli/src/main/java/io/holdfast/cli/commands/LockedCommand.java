package io.holdfast.cli.commands;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.LockMode;
import io.holdfast.cli.environment.GrantVariables;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.environment.Terminal;
import io.holdfast.cli.output.Messages;
import io.holdfast.cli.output.SessionNews;
import io.holdfast.cli.run.LockedRun;
import io.holdfast.cli.run.Signals;
import io.holdfast.cli.waiting.GrantWait;
import io.holdfast.cli.waiting.StoreRetries;
import io.holdfast.cli.waiting.WaitLeft;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The work of {@code run}, once its arguments are read: waits for the lock and runs the command.
 */
public final class LockedCommand {

  private final Surroundings surroundings;
  private final RunRequest request;

  public LockedCommand(Surroundings surroundings, RunRequest request) {
    this.surroundings = surroundings;
    this.request = request;
  }

  /** Returns the exit code. */
  public int run() throws IOException {
    LockedRun.requireLinux();
    Messages messages = new Messages(surroundings.err(), request.quiet());
    SessionNews news = new SessionNews(messages, request.ttl());
    WaitLeft left = new WaitLeft(request.waiting());
    StoreRetries retries =
        new StoreRetries(request.retry().map(WaitLeft::new).orElse(left), messages);
    LockClient client = retries.until(() -> request.store().connect(surroundings, messages, news));
    // Closed last: until the client is closed too, a signal must not end this process.
    try (Signals signals = Signals.caught();
        client) {
      Optional<Grant> granted =
          new GrantWait(client, request.name(), signals, messages)
              .acquire(acquiring(client, left, retries));
      if (granted.isEmpty()) {
        return signals.pending().orElseThrow().exitCode();
      }
      Grant grant = granted.get();
      return prepared(grant, news, messages)
          .run(request.command(), variables -> GrantVariables.put(grant, variables), signals);
    }
  }

  /** If an acquire throws, nothing is held, so it may be done again. */
  private Supplier<Grant> acquiring(LockClient client, WaitLeft left, StoreRetries retries) {
    Supplier<Grant> once = () -> client.lock(request.name()).acquire(options(left));
    return request.retry().isPresent() ? () -> retries.until(once) : once;
  }

  private AcquireOptions options(WaitLeft left) {
    AcquireOptions waiting =
        left.limit().map(AcquireOptions::within).orElse(AcquireOptions.forever());
    AcquireOptions options = request.times().addTo(waiting.ttl(request.ttl()).why(request.why()));
    return request.mode() == LockMode.SHARED ? options.shared() : options;
  }

  private LockedRun prepared(Grant grant, SessionNews news, Messages messages) {
    LockedRun run = new LockedRun(grant, news::ttl, messages);
    request.times().atMost().ifPresent(run::atMost);
    if (!request.foreground()) {
      return run;
    }
    if (Terminal.isInFront()) {
      return run.inForeground();
    }
    messages.note(
        "--foreground has no effect: this process is not in the foreground of a terminal");
    return run;
  }
}
