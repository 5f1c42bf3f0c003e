package io.holdfast.benchmarks.report;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonSerializer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Where a run leaves its figures, tables and charts. */
public final class ResultFolder {

  private static final Gson GSON =
      new GsonBuilder()
          .setPrettyPrinting()
          .serializeSpecialFloatingPointValues()
          .registerTypeAdapter(
              Duration.class,
              (JsonSerializer<Duration>)
                  (duration, type, json) -> json.serialize(duration.toString()))
          .create();

  private final Path path;

  /** Makes the folder if it is missing. */
  public ResultFolder(Path path) throws IOException {
    this.path = Files.createDirectories(path);
  }

  /** Writes what a run has found so far, over what it had found before. */
  public void write(Run run, List<Section> sections) throws IOException {
    Files.writeString(path.resolve("results.json"), GSON.toJson(new Results(run, sections)));
    StringBuilder text = new StringBuilder(run.markdown());
    for (Section section : sections) {
      append(text, section);
      for (BarChart chart : section.charts()) {
        chart.write(path);
      }
    }
    Files.writeString(report(), text);
  }

  /** Returns the file for people. */
  public Path report() {
    return path.resolve("report.md");
  }

  private record Results(Run run, List<Section> sections) {}

  private static void append(StringBuilder text, Section section) {
    text.append("## ")
        .append(section.title())
        .append("\n\n")
        .append(section.intro())
        .append("\n\n");
    section.tables().forEach(table -> text.append(table.markdown()).append('\n'));
    for (BarChart chart : section.charts()) {
      text.append("![").append(chart.title()).append("](").append(chart.file()).append(".svg)\n\n");
    }
  }
}
