package io.holdfast.tck.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.holdfast.Grant;
import io.holdfast.LockClient;
import io.holdfast.tck.claim.Level;
import io.holdfast.tck.process.actor.PausableWriter;
import io.holdfast.tck.process.client.FencedResource;
import io.holdfast.tck.process.client.StoreProbe;
import io.holdfast.tck.report.Rule;
import io.holdfast.tck.report.Topic;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The purpose of a fence: a process that stands still for longer than its lease lasts. */
@Topic(value = "PWR", level = Level.PROCESSES, clause = "docs/fencing.md")
public interface PausedWriterRules {

  /** Returns the resource, as each process opens it. */
  Class<? extends FencedResource> resource();

  /** Returns where it is, empty. */
  String place();

  @Test
  @Rule("HF-PWR-01")
  default void aWriterThatWasPausedPastItsLeaseIsRefusedAndTheNextHoldersWriteStands(
      @TempDir Path directory) throws Exception {
    String lock = "paused writer";
    try (FencedResource here = FencedResource.open(resource(), place());
        LockClient locks = here.locks(Duration.ofSeconds(30));
        PausableWriter writer =
            PausableWriter.start(
                resource(), place(), lock, Duration.ofSeconds(2), directory.resolve("errors"))) {
      // given
      pause(writer, locks);

      // when
      try (Grant next = locks.lock(lock).acquire(Duration.ofMinutes(2))) {
        here.writer(next).write("the next holder's value");
        writer.resume();

        // then
        writer.awaitRefusal("a late value");
        assertThat(here.read()).as("what was written last").isEqualTo("the next holder's value");
      }
    }
  }

  /** One that stands still in the middle of a write to a file keeps all others out. */
  private static void pause(PausableWriter writer, LockClient locks) {
    await("the writer to stand still where it is in nobody's way")
        .atMost(Duration.ofMinutes(2))
        .until(
            () -> {
              writer.pause();
              boolean isWritable = StoreProbe.isWritable(locks, "probe");
              if (!isWritable) {
                writer.resume();
              }
              return isWritable;
            });
  }
}
