package io.holdfast.tck.process.actor;

import io.holdfast.LockMode;
import io.holdfast.tck.history.Wanted;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** The handle by which a run commands an {@link Actor}, in this JVM or in a child. */
public abstract class ActorHandle implements AutoCloseable {

  private final ActorSettings settings;
  private final ActorReports reports;
  private final AtomicInteger ids = new AtomicInteger();

  ActorHandle(ActorSettings settings, ActorReports reports) {
    this.settings = settings;
    this.reports = reports;
  }

  /** Hands a command to the actor. */
  abstract void send(String command);

  /** Throws if there is no point in waiting for a report. */
  abstract void requireAlive();

  /** Lets everything be given back and waits for it. */
  public abstract void leave() throws InterruptedException;

  /** Makes an end of it, also if it is at work. */
  @Override
  public abstract void close();

  /** Has it request a lock for itself alone, and hold it, with a client of its own. */
  public ActorCommand hold(String lock) {
    return hold(lock, Wanted.of(LockMode.EXCLUSIVE));
  }

  /** Has it request a lock, and hold it, with a client of its own. */
  public ActorCommand hold(String lock, Wanted wanted) {
    String id = "h" + ids.incrementAndGet();
    send("hold %s %s %s %s".formatted(id, lock, Actor.FOR_EVER, wanted));
    return new ActorCommand(this, id);
  }

  /** Starts random work. */
  public ActorCommand work(WorkloadSpec spec) {
    String id = "r" + ids.incrementAndGet();
    send("work %s %s".formatted(id, spec));
    return new ActorCommand(this, id);
  }

  String process() {
    return settings.process();
  }

  Duration maxWait() {
    return settings.maxWait();
  }

  /** Waits for a report of an id and returns what follows it. */
  String await(String id, String report, Duration limit) {
    return reports.await(id + " " + report, limit, () -> requireHope(id));
  }

  /** Waits for one of several reports of an id. */
  void awaitAny(List<String> reported, String id, Duration limit) {
    reports.awaitAny(reported, limit, () -> requireHope(id));
  }

  /** Waits for a report that has no id. */
  void await(String report, Duration limit) {
    reports.await(report, limit, this::requireAlive);
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
