package io.holdfast.tck.process.actor;

import io.holdfast.tck.history.HistoryEvent.ProcessContinued;
import io.holdfast.tck.history.HistoryEvent.ProcessKilled;
import io.holdfast.tck.history.HistoryEvent.ProcessPaused;
import io.holdfast.tck.history.HistoryWriter;
import io.holdfast.tck.history.Span;
import io.holdfast.tck.process.client.ClientSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** An actor in a JVM of its own, which can be killed and paused; that is written down. */
public final class ChildActor extends ActorHandle {

  // Independent of the maxWait of the run: the start of a JVM says nothing about the store.
  private static final Duration START_WITHIN = Duration.ofMinutes(1);

  private final ChildJvm jvm;
  private final HistoryWriter history;
  private boolean ended;

  private ChildActor(
      ActorSettings settings, ChildJvm jvm, HistoryWriter history, ActorReports reports) {
    super(settings, reports);
    this.jvm = jvm;
    this.history = history;
  }

  public static ChildActor start(
      ActorSettings settings,
      Class<? extends ClientSource> source,
      String uri,
      Map<String, String> environment,
      HistoryWriter history) {
    List<String> arguments = new ArrayList<>(List.of(source.getName(), uri));
    arguments.addAll(settings.arguments());
    ActorReports reports = new ActorReports();
    ChildJvm jvm =
        ChildJvm.start(
            ChildMain.class,
            arguments,
            environment,
            settings.directory().resolve(settings.process() + ".err"),
            reports::add);
    return new ChildActor(settings, jvm, history, reports);
  }

  public void awaitReady() {
    await(ChildMain.READY, START_WITHIN);
  }

  @Override
  void send(String command) {
    jvm.send(command);
  }

  @Override
  void requireAlive() {
    if (!jvm.isAlive()) {
      throw new AssertionError("%s has ended. It said: %s".formatted(process(), jvm.complaints()));
    }
  }

  public void kill() {
    long before = System.nanoTime();
    jvm.kill();
    history.record(new ProcessKilled(process(), Span.since(before)));
    ended = true;
  }

  public void pause() {
    long before = System.nanoTime();
    jvm.pause();
    history.record(new ProcessPaused(process(), Span.since(before)));
  }

  public void resume() {
    long before = System.nanoTime();
    jvm.resume();
    history.record(new ProcessContinued(process(), Span.since(before)));
  }

  /** Does nothing if it was killed. */
  @Override
  public void leave() {
    if (ended) {
      return;
    }
    send(ChildMain.LEAVE);
    int exitCode = jvm.awaitExit();
    ended = true;
    if (exitCode != 0) {
      throw new AssertionError(
          "%s left with exit code %s. It said: %s"
              .formatted(process(), exitCode, jvm.complaints()));
    }
  }

  @Override
  public void close() {
    if (!ended) {
      kill();
    }
    jvm.close();
  }
}
