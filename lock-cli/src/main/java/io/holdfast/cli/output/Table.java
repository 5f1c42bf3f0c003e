package io.holdfast.cli.output;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;

/**
 * Cells in columns. Where the width is limited, the widest cells are cut, and the last columns are
 * left out if that is not enough. Where it is not, nothing is cut.
 */
final class Table {

  /**
   * A column.
   *
   * @param title its first line
   * @param least the width to which its cells may be cut
   */
  record Column(String title, int least) {

    /** A column of which no cell is cut. */
    Column(String title) {
      this(title, Integer.MAX_VALUE);
    }
  }

  /**
   * A text in a column.
   *
   * @param tone how it is shown
   */
  record Cell(String text, Tone tone) {
    Cell(String text) {
      this(text, Tone.PLAIN);
    }
  }

  private static final String GAP = "  ";

  private final List<Column> columns;
  private final int[] widths;
  private final boolean cuts;
  private final boolean colours;

  /**
   * Lays the columns out.
   *
   * @param rows for which they are to be wide enough
   * @param width of the terminal; empty if it is not limited
   */
  Table(List<Column> columns, List<List<Cell>> rows, OptionalInt width, boolean colours) {
    this.columns = columns;
    this.cuts = width.isPresent();
    this.colours = colours;
    int[] natural = columns.stream().mapToInt(column -> TextWidth.of(column.title())).toArray();
    for (List<Cell> row : rows) {
      for (int i = 0; i < natural.length; i++) {
        natural[i] = Math.max(natural[i], TextWidth.of(row.get(i).text()));
      }
    }
    this.widths = width.isPresent() ? fit(natural, width.getAsInt()) : natural;
  }

  private int[] fit(int[] natural, int width) {
    int[] least = new int[natural.length];
    for (int i = 0; i < least.length; i++) {
      least[i] = Math.min(natural[i], columns.get(i).least());
    }
    int shown = natural.length;
    while (shown > 1 && whole(Arrays.copyOf(least, shown)) > width) {
      shown--;
    }
    int[] fitting = Arrays.copyOf(natural, shown);
    while (whole(fitting) > width) {
      int widest = widestOfThoseToCut(fitting, least);
      if (widest < 0) {
        fitting[0] = Math.max(1, width);
        return fitting;
      }
      fitting[widest]--;
    }
    return fitting;
  }

  private static int whole(int[] widths) {
    return Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1);
  }

  private static int widestOfThoseToCut(int[] widths, int[] least) {
    int widest = -1;
    for (int i = 0; i < widths.length; i++) {
      if (widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest])) {
        widest = i;
      }
    }
    return widest;
  }

  String header() {
    return line(columns.stream().map(column -> new Cell(column.title(), Tone.TITLE)).toList());
  }

  String line(List<Cell> row) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      Cell cell = row.get(i);
      String text = cuts ? TextWidth.cut(cell.text(), widths[i]) : cell.text();
      line.append(colours ? cell.tone().paint(text) : text);
      if (i < widths.length - 1) {
        line.append(" ".repeat(Math.max(0, widths[i] - TextWidth.of(text)))).append(GAP);
      }
    }
    return line.toString();
  }
}
