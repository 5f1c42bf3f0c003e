package io.holdfast.tck.history;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.LockMode;
import io.holdfast.tck.history.HistoryEvent.OfClient;
import io.holdfast.tck.history.HistoryEvent.OfProcess;
import io.holdfast.tck.history.HistoryEvent.OfRequest;
import io.holdfast.tck.history.HistoryEvent.TimedOut;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFilesTest {

  @TempDir Path directory;

  @Test
  void whatIsWrittenIsReadBack() {
    // given
    History written = oneEventOfEachKind();

    // when
    try (HistoryWriter writer = HistoryWriter.open(directory, "p1")) {
      written.events().forEach(writer::record);
    }

    // then
    assertThat(History.read(directory).events()).isEqualTo(written.events());
  }

  @Test
  void everyKindOfEventIsTriedHere() {
    assertThat(Forgery.kinds(oneEventOfEachKind()))
        .isEqualTo(
            Stream.of(OfRequest.class, OfClient.class, OfProcess.class)
                .flatMap(kind -> Stream.of(kind.getPermittedSubclasses()))
                .collect(toSet()));
  }

  @Test
  void filesOfSeveralProcessesAreOneHistoryInTheOrderOfTime() {
    // given
    History history =
        Forgery.of(
            """
            p1: requested 1, granted 3 1, released 5 6
            p2: requested 2, granted 7 2, released 8 9
            """);

    // when
    for (String process : List.of("p1", "p2")) {
      try (HistoryWriter writer = HistoryWriter.open(directory, process)) {
        history
            .events(OfRequest.class)
            .filter(event -> event.request().client().process().equals(process))
            .forEach(writer::record);
      }
    }

    // then
    assertThat(History.read(directory).events()).isEqualTo(history.events());
  }

  @Test
  void theTornLastLineOfAKilledWriterIsLeftOut() throws IOException {
    // given
    History history = Forgery.of("p1: requested 1, granted 3 1");
    try (HistoryWriter writer = HistoryWriter.open(directory, "p1")) {
      history.events().forEach(writer::record);
    }

    // when
    Files.writeString(
        directory.resolve("p1.history"), "believed p1/c/w/1 4", StandardOpenOption.APPEND);

    // then
    assertThat(History.read(directory).events()).isEqualTo(history.events());
  }

  @Test
  void aLineThatCannotBeReadIsRefusedWithItsPlace() throws IOException {
    Files.writeString(directory.resolve("p1.history"), "killed p1 1 2\nbelieved p1/c/w/1 4\n");

    assertThatThrownBy(() -> History.read(directory))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("Line 2 of")
        .hasMessageContaining("p1.history");
  }

  @Test
  void whatHappenedToARequestThatNobodyMadeIsRefused() {
    assertThatThrownBy(() -> History.of(List.of(new TimedOut(RequestTag.parse("p1/c/w/1"), 1))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("p1/c/w/1");
  }

  @Test
  void linesOfManyThreadsDoNotMixAndAnInterruptLosesNone() throws InterruptedException {
    // given
    int threads = 4;
    int lines = 500;
    List<Thread> running = new ArrayList<>();

    // when
    try (HistoryWriter writer = HistoryWriter.open(directory, "p1")) {
      for (int i = 0; i < threads; i++) {
        RequestTag tag = RequestTag.parse("p1/c/w" + i + "/1");
        Thread thread =
            new Thread(
                () -> {
                  Thread.currentThread().interrupt();
                  writer.record(
                      new HistoryEvent.Requested(
                          tag, 0, "lock", Optional.empty(), Wanted.of(LockMode.EXCLUSIVE)));
                  for (int line = 1; line < lines; line++) {
                    writer.record(
                        new HistoryEvent.Believed(tag, new Span(line, line), Duration.ZERO));
                  }
                });
        running.add(thread);
        thread.start();
      }
      for (Thread thread : running) {
        thread.join(30_000);
      }
    }

    // then
    assertThat(History.read(directory).events()).hasSize(threads * lines);
  }

  private static History oneEventOfEachKind() {
    List<HistoryEvent> events =
        new ArrayList<>(
            Forgery.of(
                    """
                    p1: requested -4 7, queued 2, granted 3 9223372036854775807, believed 4 5
                    p1: written 6 7 1 0 1, rejected 8 9 1, downgraded 9 10 2, extended 9 10 5, lost 10
                    p1: releasing 11, released 11 12
                    p1: requested 13, timedout 14
                    p1: requested 15, failed 16, opened 16, expired 17, closing 18, closed 18 19
                    p1: paused 20 21, continued 22 23, killed 24 25
                    """)
                .events());
    events.add(
        new HistoryEvent.Requested(
            RequestTag.parse("p2/c/w/1"),
            -5,
            "odd näme / %41+\u2028 x",
            Optional.empty(),
            Wanted.of(LockMode.SHARED)
                .atLeast(Duration.ofNanos(1))
                .lockDelay(Duration.ofNanos(2))
                .atMost(Duration.ofDays(1))));
    return History.of(events);
  }
}
