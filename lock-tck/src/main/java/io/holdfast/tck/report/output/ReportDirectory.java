package io.holdfast.tck.report.output;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Where the runs of a build are put together: one file for each test class, and the reports made of
 * all of them again whenever one is added, by whichever of the build's JVMs comes last.
 */
public final class ReportDirectory {

  /** Where reports go, or {@code off}: a configuration parameter of JUnit, or system property. */
  private static final String PARAMETER = "holdfast.tck.report";

  private static final String DEFAULT = "target/holdfast-tck";
  private static final String OFF = "off";
  private static final String RUN = ".run";

  /** A file lock keeps out other processes, and throws at other threads of this one. */
  private static final ReentrantLock IN_THIS_JVM = new ReentrantLock();

  private final Path path;

  ReportDirectory(Path path) {
    this.path = path;
  }

  /** Returns the directory of this build, unless it wants none. */
  public static Optional<ReportDirectory> of(ExtensionContext context) {
    String place = context.getConfigurationParameter(PARAMETER).orElse(DEFAULT);
    return place.equals(OFF) ? Optional.empty() : Optional.of(new ReportDirectory(Path.of(place)));
  }

  /** Puts a run in the place of an earlier one of the same class, and says what it all comes to. */
  public void add(Run run) {
    IN_THIS_JVM.lock();
    try {
      Files.createDirectories(path.resolve("runs"));
      try (FileChannel channel =
              FileChannel.open(
                  path.resolve("runs/lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock held = channel.lock()) {
        if (held.isValid()) {
          write(run);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The kit's report cannot be written to " + path, e);
    } finally {
      IN_THIS_JVM.unlock();
    }
  }

  private void write(Run run) throws IOException {
    Files.write(
        path.resolve("runs").resolve(run.adapter() + "-" + run.testClass() + RUN),
        RunFile.format(run));
    List<Report> reports = Report.of(runs());
    Files.writeString(path.resolve("report.json"), ReportJson.of(reports));
    StringBuilder all = new StringBuilder();
    for (Report report : reports) {
      String text = ReportMarkdown.of(report);
      Files.writeString(path.resolve(report.adapter() + ".md"), text);
      all.append(text).append('\n');
    }
    Files.writeString(path.resolve("report.md"), all);
    reports.stream()
        .filter(report -> report.adapter().equals(run.adapter()))
        .forEach(report -> System.out.println(report.line() + " " + path.resolve("report.md")));
  }

  private List<Run> runs() throws IOException {
    try (Stream<Path> files = Files.list(path.resolve("runs"))) {
      return files
          .filter(file -> file.toString().endsWith(RUN))
          .sorted()
          .map(ReportDirectory::read)
          .toList();
    }
  }

  private static Run read(Path file) {
    try {
      return RunFile.parse(Files.readAllLines(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
