package io.holdfast.jdbc.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileEventsTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  @TempDir private Path directory;

  /** Each write wakes the thread, and only who is told of it can stop listening for a while. */
  @Test
  void writesToOtherFilesBesideItCountToo() throws Exception {
    assumeThat(FileEvents.areTold()).isTrue();
    Path file = Files.createFile(directory.resolve("locks"));
    try (FileEvents events = FileEvents.of(file).orElseThrow()) {
      Files.writeString(directory.resolve("neighbour.log"), "busy");

      assertThat(events.await(TIMEOUT.toNanos())).isTrue();
    }
  }
}
