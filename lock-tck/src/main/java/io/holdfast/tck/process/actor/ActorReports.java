package io.holdfast.tck.process.actor;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** The lines that an actor has reported so far. Thread-safe. */
final class ActorReports {

  private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

  private final List<String> lines = new CopyOnWriteArrayList<>();

  void add(String line) {
    lines.add(line);
  }

  /** Returns the rest of the first line that begins with a text. */
  Optional<String> find(String beginning) {
    return lines.stream()
        .filter(line -> line.startsWith(beginning))
        .findFirst()
        .map(line -> line.substring(beginning.length()).strip());
  }

  /**
   * Waits for a line and returns its rest.
   *
   * @param check called while the line is not there; throws when waiting has become pointless
   */
  String await(String beginning, Duration limit, Runnable check) {
    return Awaitility.await("the report \"" + beginning + "\"")
        .atMost(limit)
        .pollDelay(Duration.ZERO)
        .pollInterval(POLL_INTERVAL)
        .until(() -> find(beginning, check), Optional::isPresent)
        .orElseThrow();
  }

  /** Waits for a line that begins with one of several texts. */
  void awaitAny(List<String> beginnings, Duration limit, Runnable check) {
    Awaitility.await("one of the reports " + beginnings)
        .atMost(limit)
        .pollDelay(Duration.ZERO)
        .pollInterval(POLL_INTERVAL)
        .until(() -> beginnings.stream().anyMatch(each -> find(each, check).isPresent()));
  }

  private Optional<String> find(String beginning, Runnable check) {
    Optional<String> found = find(beginning);
    if (found.isEmpty()) {
      check.run();
    }
    return found;
  }

  @Override
  public String toString() {
    return lines.toString();
  }
}
