package io.holdfast.tck.report.output;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Where the runs of a build are put together: one file for each test class, and the reports made of
 * all of them again whenever one is added, by the last of the build's JVMs. Results of an earlier
 * build, of other classes than there are now, do not count.
 */
public final class ReportDirectory {

  /** Where reports go, or {@code off}: a configuration parameter of JUnit, or system property. */
  private static final String PARAMETER = "holdfast.tck.report";

  private static final String DEFAULT = "target/holdfast-tck";
  private static final String OFF = "off";

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

  /**
   * Puts a run in the place of an earlier one of the same class, and writes the reports again.
   *
   * @param kit all rules of the kit, run or not
   */
  public void add(Run run, List<Result> kit) {
    add(run, kit, Build.here());
  }

  void add(Run run, List<Result> kit, Build build) {
    IN_THIS_JVM.lock();
    try {
      Files.createDirectories(path.resolve("runs"));
      try (FileChannel channel =
              FileChannel.open(
                  path.resolve("runs/lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          FileLock held = channel.lock()) {
        if (held.isValid()) {
          write(new RunFile(build, run), kit);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("The kit's report cannot be written to " + path, e);
    } finally {
      IN_THIS_JVM.unlock();
    }
  }

  private void write(RunFile added, List<Result> kit) throws IOException {
    String adapter = added.run().adapter();
    // A JVM that ends meanwhile leaves no half of one.
    Path whole = path.resolve("runs/unfinished");
    Files.write(whole, added.format());
    Files.move(
        whole,
        path.resolve("runs").resolve(RunFile.nameOf(added.run())),
        StandardCopyOption.REPLACE_EXISTING);
    List<Report> reports = Report.of(runs(added.build()), kit);
    Files.writeString(path.resolve("report.json"), ReportJson.of(reports));
    StringBuilder all = new StringBuilder();
    for (Report report : reports) {
      String text = ReportMarkdown.of(report);
      Files.writeString(page(report.adapter()), text);
      all.append(text).append('\n');
    }
    Files.writeString(path.resolve("report.md"), all);
    reports.stream()
        .filter(report -> report.adapter().equals(adapter))
        .forEach(report -> System.out.println(report.line() + " " + path.resolve("report.md")));
  }

  private Path page(String adapter) {
    return path.resolve(FileName.of(adapter) + ".md");
  }

  private List<Run> runs(Build present) throws IOException {
    Map<Build, Boolean> unchanged = new HashMap<>(Map.of(present, true));
    List<Run> runs = new ArrayList<>();
    for (Path file : files()) {
      Optional<RunFile> read = read(file);
      if (read.isEmpty()) {
        continue;
      }
      Run run = read.get().run();
      if (run.kit().equals(KitVersion.get())
          && unchanged.computeIfAbsent(read.get().build(), Build::isUnchanged)) {
        runs.add(run);
      } else {
        System.out.printf(
            "Holdfast TCK: what %s showed of %s at %s does not count any more: it was another build.%n",
            run.className(), run.adapter(), run.ended());
        Files.delete(file);
        Files.deleteIfExists(page(run.adapter()));
      }
    }
    return runs;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(path.resolve("runs"))) {
      return files.filter(file -> file.toString().endsWith(RunFile.SUFFIX)).sorted().toList();
    }
  }

  /** A file of another version of the kit, say, is no reason to fail. */
  private static Optional<RunFile> read(Path file) {
    try {
      return Optional.of(RunFile.parse(Files.readAllLines(file)));
    } catch (IOException | IllegalArgumentException e) {
      System.out.printf(
          "Holdfast TCK: %s does not count, as it cannot be read: %s. Delete it.%n", file, e);
      return Optional.empty();
    }
  }
}
