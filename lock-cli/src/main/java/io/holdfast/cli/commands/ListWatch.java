package io.holdfast.cli.commands;

import io.holdfast.LockClient;
import io.holdfast.cli.environment.Screen;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.output.LockTable;
import io.holdfast.cli.output.LockView;
import io.holdfast.cli.output.TextWidth;
import io.holdfast.error.BackendUnreachableException;
import io.holdfast.record.LockRecord;
import java.time.Duration;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Shows the locks that are held on the whole terminal, and again after each pause. */
final class ListWatch {

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("HH:mm:ss");
  private static final String CLEAR_SCREEN = "\u001b[H\u001b[2J";
  private static final String TO_TOP = "\u001b[H";
  private static final String CLEAR_REST_OF_LINE = "\u001b[K";
  private static final String CLEAR_BELOW = "\u001b[J";

  /** The title, the header, the note that there are more, and where the cursor is left. */
  private static final int OTHER_LINES = 4;

  private final Surroundings surroundings;
  private final LockClient client;
  private final String prefix;
  private final Duration pause;
  private List<LockRecord> locks = List.of();
  private String problem = "";

  ListWatch(Surroundings surroundings, LockClient client, String prefix, Duration pause) {
    this.surroundings = surroundings;
    this.client = client;
    this.prefix = prefix;
    this.pause = pause;
  }

  /** Goes on until the thread is interrupted, or the terminal is gone. */
  void run() throws InterruptedException {
    surroundings.out().print(CLEAR_SCREEN);
    Optional<Screen.Size> screen = surroundings.screen().size();
    while (screen.isPresent() && !surroundings.out().checkError()) {
      show(screen.get());
      Thread.sleep(pause.toMillis());
      screen = surroundings.screen().size();
    }
  }

  private void show(Screen.Size screen) {
    int room = Math.max(1, screen.lines() - OTHER_LINES);
    read(room + 1);
    LockTable table =
        LockTable.of(locks.stream().limit(room).toList(), Optional.of(screen), surroundings);
    List<String> lines = new ArrayList<>();
    lines.add(TextWidth.cut(title(), screen.columns()));
    lines.add(table.header());
    locks.stream().limit(room).map(table::line).forEach(lines::add);
    if (locks.size() > room) {
      lines.add(TextWidth.cut("more do not fit: give a PREFIX", screen.columns()));
    }
    // In one write, so that no half of it is seen.
    StringBuilder frame = new StringBuilder(TO_TOP);
    lines.forEach(line -> frame.append(line).append(CLEAR_REST_OF_LINE).append('\n'));
    surroundings.out().print(frame.append(CLEAR_BELOW));
    surroundings.out().flush();
  }

  /** While the store is away, what was read last is shown. */
  private void read(int limit) {
    try (Stream<LockRecord> held = client.list(prefix)) {
      locks = held.limit(limit).toList();
      problem = "";
    } catch (BackendUnreachableException e) {
      problem = "  NOT READ: " + e.getMessage();
    }
  }

  private String title() {
    String time = TIME.format(surroundings.clock().instant().atZone(ZoneId.systemDefault()));
    return LockView.clean(time + "  " + client.backend() + problem);
  }
}
