package io.holdfast.tck.report.output;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.tck.claim.Claim;
import io.holdfast.tck.claim.Level;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A report counts what this build has shown, and no file that is there fails it. */
class ReportDirectoryTest {

  private static final Instant ENDED = Instant.parse("2026-01-31T23:59:00Z");

  @TempDir Path directory;
  private Path classes;
  private ReportDirectory reports;

  @BeforeEach
  void compile() throws IOException {
    classes = Files.createDirectories(directory.resolve("classes/org/store"));
    Files.writeString(classes.resolve("OneTest.class"), "one");
    Files.writeString(classes.resolve("OtherTest.class"), "other");
    reports = new ReportDirectory(directory.resolve("reports"));
  }

  @Test
  void whatAClassThatIsGoneHasShownDoesNotCount() throws IOException {
    reports.add(run("store", "org.store.OneTest", Claim.FIFO), List.of(), build());
    Files.delete(classes.resolve("OneTest.class"));

    reports.add(run("store", "org.store.OtherTest", Claim.PUSH), List.of(), build());

    assertThat(report()).contains("OtherTest", "HF-PUSH").doesNotContain("OneTest", "HF-FIFO");
  }

  @Test
  void whatWasShownBeforeAChangeDoesNotCount() throws IOException {
    reports.add(run("store", "org.store.OneTest", Claim.FIFO), List.of(), build());
    reports.add(run("elsewhere", "org.store.OneTest", Claim.FIFO), List.of(), build());
    Files.writeString(classes.resolve("Store.class"), "changed");

    reports.add(run("store", "org.store.OtherTest", Claim.PUSH), List.of(), build());

    assertThat(report()).contains("OtherTest").doesNotContain("OneTest", "elsewhere");
    assertThat(directory.resolve("reports/elsewhere.md")).doesNotExist();
  }

  /** A jar is told by its time: it is large, and of another build by then. */
  @Test
  void whatWasShownWithAnotherJarDoesNotCount() throws IOException {
    Path jar = Files.writeString(directory.resolve("driver.jar"), "1");
    String classPath = directory.resolve("classes") + File.pathSeparator + jar;
    reports.add(run("store", "org.store.OneTest", Claim.FIFO), List.of(), Build.of(classPath));
    Files.writeString(jar, "10");

    reports.add(run("store", "org.store.OtherTest", Claim.PUSH), List.of(), Build.of(classPath));

    assertThat(report()).contains("OtherTest").doesNotContain("OneTest");
  }

  /** As where the JVMs of several modules write to one directory. */
  @Test
  void whatSeveralClassPathsHaveShownIsPutTogetherWithItsDays() throws IOException {
    Path others = Files.createDirectories(directory.resolve("others"));
    reports.add(run("store", "org.store.OneTest", Claim.FIFO), List.of(), build());
    reports.add(run("store", "org.store.OtherTest", Claim.PUSH), List.of(), build());

    reports.add(
        run("store", "org.others.ThirdTest", Claim.FIFO), List.of(), Build.of(others.toString()));

    assertThat(report())
        .contains("| OneTest | NEVER |  | 2026-01-31 |", "| OtherTest ", "| ThirdTest ");
  }

  @Test
  void whatAnotherVersionOfTheKitHasShownDoesNotCount() throws IOException {
    Run former = run("store", "org.store.OneTest", Claim.FIFO);
    reports.add(
        new Run(
            former.adapter(),
            "0.0.1",
            former.className(),
            former.ended(),
            former.store(),
            former.losses(),
            former.claims(),
            former.controls(),
            former.results()),
        List.of(),
        build());

    reports.add(run("store", "org.store.OtherTest", Claim.PUSH), List.of(), build());

    assertThat(report()).contains("OtherTest").doesNotContain("OneTest");
  }

  @Test
  void aRunThatCannotBeReadIsLeftOut() throws IOException {
    reports.add(run("store", "org.store.OneTest", Claim.FIFO), List.of(), build());
    Path runs = directory.resolve("reports/runs");
    List<String> whole = Files.readAllLines(runs.resolve("store-org.store.OneTest.run"));
    Files.write(runs.resolve("cut-off.run"), whole.subList(0, 1));
    Files.writeString(runs.resolve("empty.run"), "");
    Files.writeString(runs.resolve("other.run"), "run\tof another version\n");
    Files.write(runs.resolve("binary.run"), new byte[] {(byte) 0xff, 0});

    reports.add(run("store", "org.store.OtherTest", Claim.PUSH), List.of(), build());

    assertThat(report()).contains("| OneTest ", "| OtherTest ");
  }

  @Test
  void anAdapterMayHaveAnyName() throws IOException {
    reports.add(run("a/b: c", "org.store.OneTest", Claim.FIFO), List.of(), build());
    reports.add(run("../a", "org.store.OneTest", Claim.FIFO), List.of(), build());

    assertThat(report()).contains("# a/b: c", "# ../a");
  }

  @Test
  void classesOfOneSimpleNameAreTwo() throws IOException {
    reports.add(run("store", "org.store.one.KitTest", Claim.FIFO), List.of(), build());
    reports.add(run("store", "org.store.other.KitTest", Claim.PUSH), List.of(), build());

    assertThat(report()).contains("HF-FIFO", "HF-PUSH");
  }

  private Build build() {
    return Build.of(directory.resolve("classes").toString());
  }

  private String report() throws IOException {
    return Files.readString(directory.resolve("reports/report.md"));
  }

  /** Returns the run of a class in which one rule has proved one claim. */
  private static Run run(String adapter, String className, Claim proved) {
    Result rule =
        new Result(
            "HF-" + proved.name(),
            "SomeRules.some",
            Level.CORE,
            "",
            false,
            Set.of(proved),
            true,
            Status.PASSED,
            "");
    return new Run(
        adapter,
        KitVersion.get(),
        className,
        ENDED,
        "a store",
        "NEVER",
        Set.of(proved),
        List.of(),
        List.of(rule));
  }
}
