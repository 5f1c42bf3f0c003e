package io.holdfast.benchmarks;

import io.holdfast.benchmarks.contender.EarlierVersion;
import io.holdfast.benchmarks.contender.PublicUri;
import io.holdfast.benchmarks.part.AsyncPart;
import io.holdfast.benchmarks.part.CachedPart;
import io.holdfast.benchmarks.part.CapacityPart;
import io.holdfast.benchmarks.part.ComparisonPart;
import io.holdfast.benchmarks.part.ContendedPart;
import io.holdfast.benchmarks.part.CountsPart;
import io.holdfast.benchmarks.part.JmhPart;
import io.holdfast.benchmarks.part.LayersPart;
import io.holdfast.benchmarks.part.Part;
import io.holdfast.benchmarks.part.Plan;
import io.holdfast.benchmarks.part.Plan.Length;
import io.holdfast.benchmarks.part.ProcessesPart;
import io.holdfast.benchmarks.part.SimulationPart;
import io.holdfast.benchmarks.report.ResultFolder;
import io.holdfast.benchmarks.report.Run;
import io.holdfast.benchmarks.report.Section;
import io.holdfast.benchmarks.store.GivenStore;
import io.holdfast.benchmarks.store.StoreKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures locks on the stores that are asked for, and leaves a folder of figures. */
@Command(
    name = "benchmarks/run",
    mixinStandardHelpOptions = true,
    description = "Compares Holdfast with the limit and with its peers on real servers.")
public final class Main implements Callable<Integer> {

  private static final List<Part> PARTS =
      List.of(
          new ComparisonPart(),
          new LayersPart(),
          new ContendedPart(),
          new CachedPart(),
          new CountsPart(),
          new AsyncPart(),
          new JmhPart(),
          new ProcessesPart(),
          new SimulationPart(),
          new CapacityPart());

  /** How long it may take; about ten minutes if nothing is said. */
  private static final class Lengths {
    @Option(names = "--quick", description = "about two minutes instead of ten")
    private boolean quick;

    @Option(names = "--full", description = "an hour or more")
    private boolean full;
  }

  @ArgGroup private Lengths lengths = new Lengths();

  @Option(
      names = "--store",
      split = ",",
      description = "only these stores; default: all",
      paramLabel = "STORE")
  private List<String> stores = new ArrayList<>();

  @Option(
      names = "--part",
      split = ",",
      description = "only these parts; default: all",
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

  private final String command;

  private Main(String command) {
    this.command = command;
  }

  /** Runs the command. */
  public static void main(String[] arguments) {
    ScratchFolder.make();
    String command = "benchmarks/run " + String.join(" ", arguments);
    Main main = new Main(PublicUri.of(command));
    System.exit(new CommandLine(main).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    jars.forEach(Main::requireOnClassPath);
    requireKnown(parts);
    Plan plan = plan();
    ResultFolder results = new ResultFolder(out);
    Run run = new Run(Instant.now().toString(), machine(), command);
    List<Section> sections = new ArrayList<>();
    for (Part part : PARTS) {
      if (parts.isEmpty() ? part.belongsTo(plan.length()) : parts.contains(part.name())) {
        part.run(
            plan,
            section -> {
              sections.add(section);
              write(results, run, sections);
              System.err.println(section.title());
            });
      }
    }
    System.err.printf("See %s%n", results.report());
    return 0;
  }

  private Plan plan() throws IOException {
    Length length = lengths.quick ? Length.QUICK : lengths.full ? Length.FULL : Length.USUAL;
    List<StoreKind> kinds = stores.stream().map(StoreKind::of).toList();
    boolean all = stores.isEmpty() && uri.isEmpty();
    return new Plan(
        length,
        all ? Arrays.asList(StoreKind.values()) : kinds,
        uri.map(GivenStore::new),
        before.isPresent() ? Optional.of(earlier(before.get())) : Optional.empty());
  }

  /** The script works elsewhere than its caller, and tells from where the folder is named. */
  private static EarlierVersion earlier(Path folder) throws IOException {
    return EarlierVersion.in(
        Path.of(System.getProperty("holdfast.calledFrom", "")).resolve(folder));
  }

  private static void requireKnown(List<String> parts) {
    List<String> known = PARTS.stream().map(Part::name).toList();
    for (String part : parts) {
      if (!known.contains(part)) {
        throw new IllegalArgumentException(
            "There is no part \"%s\". Known are %s.".formatted(part, String.join(", ", known)));
      }
    }
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
