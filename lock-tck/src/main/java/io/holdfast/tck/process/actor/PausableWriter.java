package io.holdfast.tck.process.actor;

import io.holdfast.tck.process.client.FencedResource;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A JVM of its own that holds a lock, has written to the resource behind it, and can be paused and
 * told to write again.
 */
public final class PausableWriter implements AutoCloseable {

  private static final Duration WITHIN = Duration.ofMinutes(2);

  private final ChildJvm jvm;
  private final ActorReports reports;

  private PausableWriter(ChildJvm jvm, ActorReports reports) {
    this.jvm = jvm;
    this.reports = reports;
  }

  /**
   * Starts one, and returns when it has written for the first time.
   *
   * @param errors the file for what it complains of
   */
  public static PausableWriter start(
      Class<? extends FencedResource> resource,
      String place,
      String lock,
      Duration ttl,
      Path errors) {
    ActorReports reports = new ActorReports();
    ChildJvm jvm =
        ChildJvm.start(
            WriterMain.class,
            List.of(resource.getName(), place, lock, Long.toString(ttl.toMillis())),
            errors,
            reports::add);
    PausableWriter writer = new PausableWriter(jvm, reports);
    try {
      writer.await(WriterMain.WROTE);
      return writer;
    } catch (RuntimeException | Error e) {
      writer.close();
      throw e;
    }
  }

  /** Stops it with SIGSTOP and returns when none of its threads runs. */
  public void pause() {
    jvm.pause();
  }

  /** Lets it run again with SIGCONT. */
  public void resume() {
    jvm.resume();
  }

  /** Has it write once more, and returns when the resource has refused that. */
  public void awaitRefusal(String value) {
    jvm.send(value);
    await(WriterMain.REFUSED + " " + value);
  }

  private void await(String report) {
    reports.await(report, WITHIN, this::requireHope);
  }

  private void requireHope() {
    if (!jvm.isAlive() || reports.find(WriterMain.FAILED).isPresent()) {
      throw new AssertionError(
          "The writer has failed. It said: %s %s".formatted(reports, jvm.complaints()));
    }
  }

  /** Kills it. */
  @Override
  public void close() {
    jvm.close();
  }
}
