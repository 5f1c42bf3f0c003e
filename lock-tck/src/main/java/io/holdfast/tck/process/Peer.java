package io.holdfast.tck.process;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** An {@link Actor}, wherever it lives, as the trial that commands it sees it. */
abstract class Peer implements AutoCloseable {

  private final ActorSettings settings;
  private final Lines reports;
  private final AtomicInteger ids = new AtomicInteger();

  Peer(ActorSettings settings, Lines reports) {
    this.settings = settings;
    this.reports = reports;
  }

  /** Hands a command to the actor. */
  abstract void send(String command);

  /** Throws if there is no point in waiting for a report. */
  abstract void requireAlive();

  /** Lets everything be given back and waits for it. */
  abstract void leave() throws InterruptedException;

  /** Makes an end of it, whatever it is doing. */
  @Override
  public abstract void close();

  /** Lets it ask for a lock with a client of its own. */
  Ask ask(String lock) {
    String id = "h" + ids.incrementAndGet();
    send("hold %s %s %s".formatted(id, lock, Actor.FOR_EVER));
    return new Ask(this, id);
  }

  /** Starts random work. */
  Ask work(WorkloadSpec spec) {
    String id = "r" + ids.incrementAndGet();
    send("work %s %s".formatted(id, spec));
    return new Ask(this, id);
  }

  String process() {
    return settings.process();
  }

  Duration patience() {
    return settings.patience();
  }

  /** Waits for a report of an id and returns what follows it. */
  String await(String id, String report, Duration most) {
    return reports.await(id + " " + report, most, () -> requireHope(id));
  }

  /** Waits for a report that has no id. */
  void await(String report, Duration most) {
    reports.await(report, most, this::requireAlive);
  }

  /** Returns whether something was reported of an id. */
  boolean hasReported(String id, String report) {
    return reports.find(id + " " + report).isPresent();
  }

  private void requireHope(String id) {
    reports
        .find(id + " failed")
        .ifPresent(
            failure -> {
              throw new AssertionError("%s of %s failed: %s".formatted(id, process(), failure));
            });
    requireAlive();
  }
}
