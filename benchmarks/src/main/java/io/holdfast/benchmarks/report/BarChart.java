package io.holdfast.benchmarks.report;

import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.VectorGraphicsEncoder;
import org.knowm.xchart.VectorGraphicsEncoder.VectorGraphicsFormat;
import org.knowm.xchart.style.AxesChartStyler.TextAlignment;
import org.knowm.xchart.style.CategoryStyler;
import org.knowm.xchart.style.Styler.LegendPosition;

/**
 * A chart of bars.
 *
 * @param file the name of its file, without an ending
 * @param title what it shows
 * @param unit what the bars count
 * @param labels what each group of bars is about
 * @param series the values for the labels, by the name of the series
 * @param errors how far each value may be off, by the name of the series; a series that is not
 *     there has no whiskers
 */
public record BarChart(
    String file,
    String title,
    String unit,
    List<String> labels,
    Map<String, List<Double>> series,
    Map<String, List<Double>> errors) {

  private static final Pattern TOO_EXACT = Pattern.compile("(\\d+\\.\\d\\d)\\d+");
  private static final int WIDTH = 900;

  /** Of the bars and the labels above them. */
  private static final int HEIGHT = 380;

  /** The height of labels below the bars, lying and slanted. */
  private static final int LYING = 30;

  private static final double PER_SLANTED_CHARACTER = 5.5;

  /** The width of a label's character that is not slanted. */
  private static final int PER_CHARACTER = 8;

  private static final int SLANT = 40;
  private static final Color[] COLOURS = {
    new Color(0x2f5d8a), new Color(0xe0a43c), new Color(0x6b9e78), new Color(0x9c6b9e)
  };

  /** Bars of values that are what they are. */
  public BarChart(
      String file,
      String title,
      String unit,
      List<String> labels,
      Map<String, List<Double>> series) {
    this(file, title, unit, labels, series, Map.of());
  }

  void write(Path folder) throws IOException {
    int longest = labels.stream().mapToInt(String::length).max().orElse(0);
    boolean slanted = longest * PER_CHARACTER > WIDTH / Math.max(1, labels.size());
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT + (slanted ? (int) (longest * PER_SLANTED_CHARACTER) : LYING))
            .title(title)
            .yAxisTitle(unit)
            .build();
    style(chart.getStyler(), slanted);
    series.forEach(
        (name, values) -> {
          List<Double> whiskers = errors.get(name);
          if (whiskers == null) {
            chart.addSeries(name, labels, values);
          } else {
            chart.addSeries(name, labels, values, whiskers);
          }
        });
    VectorGraphicsEncoder.saveVectorGraphic(
        chart, folder.resolve(file).toString(), VectorGraphicsFormat.SVG);
    shorten(folder.resolve(file + ".svg"));
  }

  /**
   * Letters are outlines of numbers with eight digits: half of the file, and no reader sees them.
   */
  private static void shorten(Path file) throws IOException {
    Files.writeString(file, TOO_EXACT.matcher(Files.readString(file)).replaceAll("$1"));
  }

  private static void style(CategoryStyler style, boolean slanted) {
    style.setSeriesColors(COLOURS);
    style.setChartBackgroundColor(Color.WHITE);
    style.setPlotBorderVisible(false);
    style.setPlotGridVerticalLinesVisible(false);
    style.setAvailableSpaceFill(0.7);
    style.setErrorBarsColor(Color.DARK_GRAY);
    style.setYAxisMin(0.0);
    style.setYAxisDecimalPattern("#,##0.##");
    style.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 13));
    style.setLegendPosition(LegendPosition.OutsideE);
    style.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 11));
    style.setLegendBorderColor(Color.WHITE);
    if (slanted) {
      style.setXAxisLabelRotation(SLANT);
      style.setXAxisLabelAlignment(TextAlignment.Right);
      style.setXAxisLabelAlignmentVertical(TextAlignment.Right);
    }
  }
}
