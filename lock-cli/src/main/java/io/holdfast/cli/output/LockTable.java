package io.holdfast.cli.output;

import io.holdfast.cli.environment.Screen;
import io.holdfast.cli.environment.Surroundings;
import io.holdfast.cli.output.Table.Cell;
import io.holdfast.cli.output.Table.Column;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Stay;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Locks as a table for people, one on a line. It may change; JSON is for programs. */
public final class LockTable {

  /** Those that are least needed come last, because they are left out first. */
  private static final List<Column> COLUMNS =
      List.of(
          new Column("NAME", 20),
          new Column("HOLDER", 16),
          new Column("HELD"),
          new Column("LEASE"),
          new Column("QUEUE"),
          new Column("WHY", 12),
          new Column("TOKEN"));

  private final Table table;
  private final Instant now;

  private LockTable(Table table, Instant now) {
    this.table = table;
    this.now = now;
  }

  /**
   * Returns a table that has room for these locks.
   *
   * @param screen for which its lines are made; empty if they go elsewhere than to a terminal
   */
  public static LockTable of(
      List<LockRecord> locks, Optional<Screen.Size> screen, Surroundings surroundings) {
    Instant now = surroundings.clock().instant();
    OptionalInt width =
        screen.map(size -> OptionalInt.of(size.columns())).orElse(OptionalInt.empty());
    boolean colours = screen.isPresent() && areColoursWanted(surroundings.environment());
    List<List<Cell>> rows = locks.stream().map(lock -> cells(lock, now)).toList();
    return new LockTable(new Table(COLUMNS, rows, width, colours), now);
  }

  /** As <a href="https://no-color.org">no-color.org</a> asks. */
  private static boolean areColoursWanted(Map<String, String> environment) {
    return environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }

  public String header() {
    return table.header();
  }

  public String line(LockRecord lock) {
    return table.line(cells(lock, now));
  }

  private static List<Cell> cells(LockRecord lock, Instant now) {
    Optional<Holder> first = lock.holder();
    return List.of(
        new Cell(LockView.clean(lock.name().value())),
        new Cell(holders(lock)),
        new Cell(
            first.map(held -> Durations.brief(Duration.between(held.since(), now))).orElse("-")),
        first.map(LockTable::lease).orElse(new Cell("-")),
        new Cell(Integer.toString(lock.waiting()), lock.waiting() > 0 ? Tone.WARNING : Tone.PLAIN),
        new Cell(first.map(held -> LockView.clean(held.why())).orElse("")),
        new Cell(lock.token().map(Object::toString).orElse("-")));
  }

  private static String holders(LockRecord lock) {
    int others = lock.holders().size() - 1;
    String first = lock.holder().map(held -> LockView.clean(held.process().value())).orElse("-");
    return others > 0 ? first + " and " + others + " more" : first;
  }

  /** The reason why the lock is kept, and for how long if that is known. */
  private static Cell lease(Holder holder) {
    return switch (holder.liveness()) {
      case LIVE ->
          holder.stay().isPresent() || holder.revokedAt().isPresent()
              ? new Cell("revoked" + left(holder), Tone.WARNING)
              : new Cell(holder.countsFor().map(Durations::brief).orElse("live"));
      case STAYING -> new Cell("stays" + left(holder), Tone.WARNING);
      case LAPSED -> new Cell("lapsed", Tone.ALARM);
      case ENDED -> new Cell("over", Tone.ALARM);
      case REVOCATION_DUE -> new Cell("due", Tone.ALARM);
    };
  }

  private static String left(Holder holder) {
    return holder.stay().map(Stay::left).map(left -> " " + Durations.brief(left)).orElse("");
  }
}
