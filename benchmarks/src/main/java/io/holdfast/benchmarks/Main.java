package io.holdfast.benchmarks;

import io.holdfast.benchmarks.contender.EarlierVersion;
import io.holdfast.benchmarks.contender.PublicUri;
import io.holdfast.benchmarks.part.Part;
import io.holdfast.benchmarks.part.Parts;
import io.holdfast.benchmarks.part.Plan;
import io.holdfast.benchmarks.part.Plan.Length;
import io.holdfast.benchmarks.report.ResultFolder;
import io.holdfast.benchmarks.report.Run;
import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.store.GivenStore;
import io.holdfast.benchmarks.store.StoreKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Measures locks on the stores that are asked for, and leaves a folder of figures. */
@Command(
    name = "benchmarks/run",
    description = "Compares Holdfast with the limit and with its peers on real servers.")
public final class Main implements Callable<Integer> {

  /** How long it may take; ten to fifteen minutes if nothing is said. */
  private static final class Lengths {
    @Option(names = "--quick", description = "two to three minutes")
    private boolean quick;

    @Option(names = "--full", description = "an hour or more")
    private boolean full;
  }

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "print this")
  boolean help;

  @ArgGroup private Lengths lengths = new Lengths();

  @Option(
      names = "--store",
      split = ",",
      completionCandidates = Stores.class,
      description = {"only these stores; default: all of", "${COMPLETION-CANDIDATES}"},
      paramLabel = "STORE")
  private List<String> stores = new ArrayList<>();

  @Option(
      names = "--part",
      split = ",",
      completionCandidates = PartNames.class,
      description = {
        "only these parts of",
        "${COMPLETION-CANDIDATES}",
        "default: those for which the length has time, see docs/benchmarks.md"
      },
      paramLabel = "PART")
  private List<String> parts = new ArrayList<>();

  @Option(
      names = "--uri",
      description = {
        "the store of an adapter of yours, which runs already; it is compared with Holdfast in memory",
        "default: none; alone unless --store names others"
      },
      paramLabel = "URI")
  private Optional<String> uri = Optional.empty();

  @Option(
      names = "--jar",
      split = ",",
      description = "the jars of that adapter and of its driver",
      paramLabel = "JAR")
  private List<Path> jars = new ArrayList<>();

  @Option(
      names = "--before",
      description = "the jars of an earlier Holdfast to compare with, see benchmarks/jars-of",
      paramLabel = "DIR")
  private Optional<Path> before = Optional.empty();

  /** From benchmarks/run. */
  @Option(names = "--out", required = true, hidden = true)
  private Path out = Path.of(".");

  @Spec private CommandSpec spec = CommandSpec.create();

  private final String command;

  /** For the help. */
  private static final class Stores implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return StoreKind.labels().iterator();
    }
  }

  /** For the help. */
  private static final class PartNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Parts.names().iterator();
    }
  }

  private Main(String command) {
    this.command = command;
  }

  /** Runs the command. */
  public static void main(String[] arguments) {
    ScratchFolder.make();
    System.exit(commandLine(arguments).execute(arguments));
  }

  /** Returns what executes these arguments, and tells them in the report. */
  static CommandLine commandLine(String... arguments) {
    String command = "benchmarks/run " + String.join(" ", arguments);
    return new CommandLine(new Main(PublicUri.of(command)))
        .setParameterExceptionHandler(Main::refused)
        .setExecutionExceptionHandler(Main::failed);
  }

  /** It says what to do: the usage would hide that. */
  private static int refused(ParameterException refusal, String[] arguments) {
    refusal.getCommandLine().getErr().println(refusal.getMessage());
    return ExitCode.USAGE;
  }

  /** What fails because the servers are ended with the JVM is no news to who has interrupted it. */
  private static int failed(Exception failure, CommandLine command, ParseResult parsed)
      throws Exception {
    if (isEnding()) {
      return ExitCode.SOFTWARE;
    }
    throw failure;
  }

  private static boolean isEnding() {
    Thread none = new Thread(() -> {});
    try {
      Runtime.getRuntime().addShutdownHook(none);
      return !Runtime.getRuntime().removeShutdownHook(none);
    } catch (IllegalStateException ending) {
      return true;
    }
  }

  @Override
  public Integer call() throws Exception {
    Plan plan;
    List<Part> chosen;
    try {
      jars.forEach(Main::requireOnClassPath);
      chosen = parts.isEmpty() ? Parts.of(length()) : Parts.named(parts);
      if (before.isPresent()) {
        Parts.requireComparing(chosen);
      }
      plan = plan();
      if (!parts.isEmpty()) {
        Parts.requireMeasuring(chosen, plan);
      }
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    ResultFolder results = new ResultFolder(out);
    Run run = new Run(Instant.now().toString(), machine(), command);
    List<Section> sections = new ArrayList<>();
    for (Part part : chosen) {
      part.run(
          plan,
          section -> {
            sections.add(section);
            write(results, run, sections);
            System.err.println(section.title());
          });
    }
    System.err.printf("See %s%n", results.report());
    return 0;
  }

  private Length length() {
    return lengths.quick ? Length.QUICK : lengths.full ? Length.FULL : Length.USUAL;
  }

  private Plan plan() throws IOException {
    List<StoreKind> kinds = stores.stream().map(StoreKind::of).toList();
    boolean all = stores.isEmpty() && uri.isEmpty();
    return new Plan(
        length(),
        all ? Arrays.asList(StoreKind.values()) : kinds,
        !stores.isEmpty(),
        uri.map(GivenStore::new),
        before.isPresent() ? Optional.of(earlier(before.get())) : Optional.empty());
  }

  /** The script works elsewhere than its caller, and tells from where the folder is named. */
  private static EarlierVersion earlier(Path folder) throws IOException {
    Path found = Path.of(System.getProperty("holdfast.calledFrom", "")).resolve(folder);
    if (!Files.isDirectory(found)) {
      throw new IllegalArgumentException(
          "There is no folder %s. Have benchmarks/jars-of make it.".formatted(found));
    }
    return EarlierVersion.in(found);
  }

  /** The script puts them there; a driver that it has not is not found later. */
  private static void requireOnClassPath(Path jar) {
    if (!System.getProperty("java.class.path").contains(String.valueOf(jar.getFileName()))) {
      throw new IllegalArgumentException(
          "%s is not on the class path. Start it with benchmarks/run.".formatted(jar));
    }
  }

  private static void write(ResultFolder results, Run run, List<Section> sections) {
    try {
      results.write(run, sections);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String machine() {
    return "%s %s, %d processors, Java %s"
        .formatted(
            System.getProperty("os.name"),
            System.getProperty("os.arch"),
            Runtime.getRuntime().availableProcessors(),
            Runtime.version());
  }
}
