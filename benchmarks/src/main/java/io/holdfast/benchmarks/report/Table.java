package io.holdfast.benchmarks.report;

import java.util.List;

/**
 * A table.
 *
 * @param header the names of the columns
 * @param rows each as many cells as there are columns
 */
public record Table(List<String> header, List<List<String>> rows) {

  String markdown() {
    StringBuilder text = new StringBuilder();
    appendRow(text, header);
    text.append("|---".repeat(header.size())).append("|\n");
    rows.forEach(row -> appendRow(text, row));
    return text.toString();
  }

  private static void appendRow(StringBuilder text, List<String> cells) {
    text.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }
}
