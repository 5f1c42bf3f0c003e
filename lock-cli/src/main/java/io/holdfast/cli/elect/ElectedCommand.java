package io.holdfast.cli.elect;

import io.holdfast.AcquireOptions;
import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.cli.environment.GrantVariables;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.output.Durations;
import io.holdfast.cli.output.Messages;
import io.holdfast.cli.output.SessionNews;
import io.holdfast.cli.run.LockedRun;
import io.holdfast.cli.run.LossWatch;
import io.holdfast.cli.run.Release;
import io.holdfast.cli.run.Signal;
import io.holdfast.cli.run.Signals;
import io.holdfast.cli.waiting.GrantWait;
import io.holdfast.cli.waiting.StoreRetries;
import io.holdfast.cli.waiting.Wait;
import io.holdfast.cli.waiting.WaitLeft;
import io.holdfast.error.LockQueueFullException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;

/**
 * The work of {@code elect}, once its arguments are read: waits until this process leads, keeps the
 * command running for as long as it does, and stands again.
 */
public final class ElectedCommand {

  private final Surroundings surroundings;
  private final ElectRequest request;
  private final Messages messages;
  private final SessionNews news;
  private final ReadyFile ready;
  private final RestartPause pauses = new RestartPause();

  public ElectedCommand(Surroundings surroundings, ElectRequest request) {
    this.surroundings = surroundings;
    this.request = request;
    this.messages = new Messages(surroundings.err(), request.quiet());
    this.news = new SessionNews(messages, request.ttl());
    this.ready = new ReadyFile(request.readyFile(), messages);
  }

  /** Returns the exit code. */
  public int run() throws IOException {
    LockedRun.requireLinux();
    ready.prepare();
    LockClient client =
        new StoreRetries(new WaitLeft(Wait.FOREVER), messages)
            .until(() -> request.store().connect(surroundings, messages, news));
    // Closed last: until the client is closed too, a signal must not end this process.
    try (Signals signals = Signals.caught();
        client) {
      while (true) {
        Optional<Grant> grant = stand(client, signals);
        if (grant.isEmpty()) {
          return signals.pending().map(Signal::exitCode).orElseThrow();
        }
        OptionalInt code = lead(grant.get(), signals);
        if (code.isPresent()) {
          return code.getAsInt();
        }
      }
    }
  }

  /**
   * Waits until this process leads; empty if a signal has ended the wait. While more stand than may
   * wait, it stands again after a pause.
   */
  private Optional<Grant> stand(LockClient client, Signals signals) {
    AcquireOptions options = AcquireOptions.forever().ttl(request.ttl()).why(request.why());
    GrantWait wait = new GrantWait(client, request.name(), signals, messages);
    while (true) {
      try {
        Optional<Grant> granted = wait.acquire(() -> client.lock(request.name()).acquire(options));
        granted.ifPresent(grant -> messages.note("elected, with token " + grant.token()));
        return granted;
      } catch (LockQueueFullException full) {
        Duration pause = pauses.after(Duration.ZERO);
        messages.note(
            "%s This process stands again in %s."
                .formatted(full.getMessage(), Durations.show(pause)));
        if (!rest(() -> TimeUnit.NANOSECONDS.sleep(pause.toNanos()), signals)) {
          return Optional.empty();
        }
      }
    }
  }

  /**
   * How a lead has ended.
   *
   * @param code the exit code, if that was all
   * @param lost whether it was lost, or in doubt, which was said then
   * @param pause how long not to stand again after it was given up
   */
  private record Led(OptionalInt code, boolean lost, Duration pause) {
    static final Led LOST = new Led(OptionalInt.empty(), true, Duration.ZERO);

    static Led resigned(Duration pause) {
      return new Led(OptionalInt.empty(), false, pause);
    }

    static Led ended(OptionalInt code, boolean lost) {
      return new Led(code, lost, Duration.ZERO);
    }
  }

  /** Leads until the lead is lost or given up; returns the exit code if that was all. */
  private OptionalInt lead(Grant grant, Signals signals) throws IOException {
    LossWatch loss = new LossWatch(grant);
    Led led;
    try {
      led = leadOn(grant, loss, signals);
    } catch (IOException | RuntimeException e) {
      Release.of(grant, messages);
      throw e;
    }
    Optional<String> doubt = Release.of(grant, messages);
    if (!led.lost() && doubt.isPresent()) {
      sayLost(doubt.get());
    }
    if (led.code().isPresent()) {
      return led.lost() || doubt.isPresent() ? OptionalInt.of(LockedRun.EXIT_LOST) : led.code();
    }
    if (led.lost()) {
      return OptionalInt.empty();
    }
    return rest(loss, led.pause(), signals) ? OptionalInt.empty() : endedBySignal(signals);
  }

  private Led leadOn(Grant grant, LossWatch loss, Signals signals) throws IOException {
    while (true) {
      long startedNanos = System.nanoTime();
      LockedRun.Ended ended = runOnce(grant, loss, signals);
      Duration pause = pauses.after(Duration.ofNanos(System.nanoTime() - startedNanos));
      boolean lost = ended.doubt().isPresent();
      ended.doubt().ifPresent(this::sayLost);
      if (ended.stoppedBy().isPresent() || request.onExit() == ElectRequest.OnExit.EXIT) {
        return Led.ended(OptionalInt.of(ended.code()), lost);
      }
      if (lost) {
        return Led.LOST;
      }
      if (request.onExit() == ElectRequest.OnExit.RESIGN) {
        say(ended, "this process stands again", pause);
        return Led.resigned(pause);
      }
      say(ended, "it is started again", pause);
      if (!rest(loss, pause, signals)) {
        return Led.ended(endedBySignal(signals), false);
      }
      if (!grant.isHeld()) {
        sayLost("its lease ran out, or it was revoked, while no command ran");
        return Led.LOST;
      }
    }
  }

  private void sayLost(String why) {
    messages.error("the lead was lost, or in doubt: " + why);
  }

  private static OptionalInt endedBySignal(Signals signals) {
    return OptionalInt.of(signals.pending().map(Signal::exitCode).orElseThrow());
  }

  private LockedRun.Ended runOnce(Grant grant, LossWatch loss, Signals signals) throws IOException {
    LockedRun run =
        new LockedRun(grant, loss, news::ttl, messages).stopTimeout(request.stopTimeout());
    ready.create(grant);
    try {
      return run.runAndHold(
          request.command(), variables -> GrantVariables.put(grant, variables), signals);
    } finally {
      ready.remove();
    }
  }

  private void say(LockedRun.Ended ended, String next, Duration pause) {
    messages.note(
        "the command ended with code %s; %s in %s"
            .formatted(ended.code(), next, Durations.show(pause)));
  }

  /** Waits, unless the grant is lost; returns whether no signal has ended the wait. */
  private static boolean rest(LossWatch loss, Duration pause, Signals signals) {
    return rest(() -> loss.await(pause), signals);
  }

  /** Something that lasts for a while, unless it is interrupted. */
  private interface Rest {
    void last() throws InterruptedException;
  }

  private static boolean rest(Rest rest, Signals signals) {
    signals.beginWaiting();
    try {
      rest.last();
    } catch (InterruptedException e) {
      // A signal is pending.
    } finally {
      signals.endWaiting();
    }
    return signals.pending().isEmpty();
  }
}
