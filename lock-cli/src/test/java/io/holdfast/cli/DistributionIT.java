package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Tool.Run;
import io.holdfast.spi.BackendOptions;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.LockProvider;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same distribution with one adapter, none, and others: what lies in lib/ decides. */
class DistributionIT {

  /** Claims what lock-jdbc claims. */
  public static final class RivalProvider implements LockProvider {
    @Override
    public String name() {
      return "rival";
    }

    @Override
    public List<String> uriForms() {
      return List.of("jdbc:sqlite:RIVAL");
    }

    @Override
    public boolean accepts(String uri) {
      return uri.startsWith("jdbc:sqlite:");
    }

    @Override
    public LockBackend connect(String uri, BackendOptions options, Deadline deadline) {
      throw new io.holdfast.error.BackendUnusableException("the rival was asked for " + uri);
    }
  }

  @TempDir private Path directory;
  private Path distribution;
  private Tool tool;

  @BeforeEach
  void copyElsewhere() throws Exception {
    distribution = directory.resolve("copied to/elsewhere");
    Files.createDirectories(distribution.getParent());
    assertThat(
            new ProcessBuilder("cp", "-R", Tool.built().toString(), distribution.toString())
                .start()
                .waitFor())
        .isZero();
    tool = new Tool(distribution, directory);
  }

  @AfterEach
  void tearDown() {
    tool.close();
  }

  @Test
  void theAdapterThatLiesThereIsUsed() throws Exception {
    assertThat(tool.run("backends").out()).contains("jdbc:sqlite:FILE", "lock-jdbc-");
    assertThat(tool.run("run", "demo", "--", "true").process().exitValue()).isZero();
  }

  @Test
  void anotherInItsPlaceIsUsedInstead() throws Exception {
    remove("lock-jdbc-");
    addRival();

    assertThat(tool.run("backends").out()).contains("rival.jar").doesNotContain("lock-jdbc");
    Run run = tool.run("run", "demo", "--", "true");
    assertThat(run.process().exitValue()).isEqualTo(69);
    assertThat(run.err()).contains("the rival was asked for jdbc:sqlite:");
  }

  @Test
  void noneIsExplained() throws Exception {
    for (String adapter : List.of("jdbc", "redis", "etcd", "zookeeper", "mongo")) {
      remove("lock-" + adapter + "-");
    }

    Run run = tool.run("run", "demo", "--", "true");

    assertThat(run.process().exitValue()).isEqualTo(64);
    assertThat(run.err()).startsWith("holdfast: ").contains("no Holdfast adapter", "lock-jdbc");
  }

  @Test
  void noneForTheUriIsExplained() throws Exception {
    remove("lock-redis-");

    Run run = tool.run("run", "demo", "--backend", "redis://h", "--", "true");

    assertThat(run.process().exitValue()).isEqualTo(64);
    assertThat(run.err()).contains("redis:", "there are etcd, jdbc", "lock-redis");
  }

  @Test
  void twoForOneUriAreExplained() throws Exception {
    addRival();

    Run run = tool.run("run", "demo", "--", "true");

    assertThat(run.process().exitValue()).isEqualTo(64);
    assertThat(run.err()).contains("Several adapters", "RivalProvider", "io.holdfast.jdbc");
  }

  @Test
  void theDistributionWorksThroughALinkAndWithAnArchiveOfItsClasses() throws Exception {
    Path link = directory.resolve("holdfast");
    Files.createSymbolicLink(link, distribution.resolve("bin/holdfast"));
    assertThat(
            new ProcessBuilder(distribution.resolve("bin/make-archive").toString())
                .redirectErrorStream(true)
                .start()
                .waitFor())
        .isZero();
    assertThat(distribution.resolve("lib")).isDirectoryContaining("glob:**.jsa");

    Process process = new ProcessBuilder(link.toString(), "--version").start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .matches("holdfast [0-9].*\n");
    assertThat(new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEmpty();
  }

  /** As on a machine whose profile names the Java of another program. */
  @Test
  void aJavaThatIsTooOldOrGoneIsPassedOver() throws Exception {
    String path = Path.of(System.getProperty("java.home"), "bin") + ":" + System.getenv("PATH");
    for (String home : List.of(oldJava().toString(), directory + "/nowhere")) {
      Run run = tool.start(List.of("JAVA_HOME=" + home, "PATH=" + path), "--version");

      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out()).startsWith("holdfast ");
    }
  }

  /**
   * As of jenv, asdf and mise. The archive of classes is for the version of that which it starts.
   */
  @Test
  void aJavaInPathMayBeAScriptThatStartsIt() throws Exception {
    String java = System.getProperty("java.home") + "/bin/java";
    String path = System.getenv("PATH");
    for (String folder : List.of("shims", "home/bin")) {
      Path shims = Files.createDirectories(directory.resolve(folder));
      program(shims.resolve("java"), "exec " + java + " \"$@\"");

      Run run =
          tool.start(
              List.of("JAVA_HOME", "PATH=" + shims + ":" + path),
              "run",
              "-q",
              "demo",
              "--",
              "sh",
              "-c",
              "tr '\\0' '\\n' </proc/$PPID/cmdline | head -n 1");

      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out()).isEqualTo(java);
    }
  }

  @Test
  void aScriptInPathThatStartsNoneIsPassedOver() throws Exception {
    Path shims = Files.createDirectories(directory.resolve("shims"));
    program(shims.resolve("java"), "echo no version is set >&2; exit 126");
    String java = Path.of(System.getProperty("java.home"), "bin").toString();

    Run run =
        tool.start(
            List.of("JAVA_HOME", "PATH=" + shims + ":" + java + ":" + System.getenv("PATH")),
            "--version");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.err()).isEmpty();
  }

  private static void program(Path path, String script) throws IOException {
    Files.writeString(path, "#!/bin/sh\n" + script + "\n");
    assertThat(path.toFile().setExecutable(true)).isTrue();
  }

  @Test
  void whereNoJavaSuitsTheReasonIsTold() throws Exception {
    Path programs = Files.createDirectory(directory.resolve("programs"));
    Files.createSymbolicLink(programs.resolve("bash"), Path.of("/bin/bash"));

    Run run = tool.start(List.of("JAVA_HOME=" + oldJava(), "PATH=" + programs), "--version");

    assertThat(run.exitCode()).isEqualTo(71);
    assertThat(run.err()).startsWith("holdfast: Java 11.0.2 in ").contains("is too old", "17");
    Run none = tool.start(List.of("JAVA_HOME", "PATH=" + programs), "--version");
    assertThat(none.exitCode()).isEqualTo(71);
    assertThat(none.err()).startsWith("holdfast: no Java in PATH");
  }

  private Path oldJava() throws IOException {
    Path old = Files.createDirectories(directory.resolve("old"));
    Files.createDirectories(old.resolve("bin"));
    Files.writeString(old.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
    program(old.resolve("bin/java"), "exit 1");
    return old;
  }

  /** Of an application server, say: two heaps, or two collectors, keep a JVM from starting. */
  @Test
  void theUsersOptionsForJavaAreForTheCommandAlone() throws Exception {
    for (String name : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS")) {
      String value = "-Xms4g -XX:+UseZGC -Da=\"b  'c'\"";

      Run run =
          tool.start(List.of(name + "=" + value), "run", "-q", "demo", "--", "printenv", name);

      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out()).isEqualTo(value);
      assertThat(run.err()).isEmpty();
      Run unset = tool.start(List.of(name), "run", "-q", "demo", "--", "printenv", name);
      assertThat(unset.exitCode()).isEqualTo(1);
    }
  }

  /** A shell hands on what it has assigned to a variable that was exported to it. */
  @Test
  void theUsersVariablesReachTheCommandAsTheyAre() throws Exception {
    Matcher assigned =
        Pattern.compile("(?m)(?:^|[ ;(])([a-z_]+)\\+?=")
            .matcher(Files.readString(Path.of("src/main/dist/bin/holdfast")));
    Set<String> names = new TreeSet<>(List.of("home", "release", "options", "root", "builds"));
    while (assigned.find()) {
      names.add(assigned.group(1));
    }
    names.removeIf(name -> name.startsWith("holdfast_"));
    List<String> mine = names.stream().map(name -> name + "=mine").toList();

    Run run = tool.start(mine, "run", "demo", "--", "env");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().lines()).containsAll(mine);
  }

  @Test
  void thisCommandsOwnJavaHasOptionsOfItsOwn() throws Exception {
    String file = directory + "/gc.log";
    String options = "HOLDFAST_JAVA_OPTIONS= -XX:+UseParallelGC -Xlog:gc:file=" + file + ":none ";

    Run run = tool.start(List.of(options), "--version");

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(Path.of(file)).content().contains("Using Parallel");
  }

  /** A shell with that variable looks for directories elsewhere first, and prints where it goes. */
  @Test
  void theUsersCdpathIsForTheCommandAlone() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                "sh",
                "-c",
                "elsewhere/bin/holdfast run -q -b jdbc:sqlite:../locks.db demo -- sh -c 'echo $CDPATH'")
            .directory(directory.resolve("copied to").toFile())
            .redirectErrorStream(true);
    builder.environment().put("CDPATH", ".:/");
    Process process = builder.start();

    assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo(".:/\n");
  }

  private void remove(String prefix) throws IOException {
    try (Stream<Path> jars = Files.list(distribution.resolve("lib"))) {
      for (Path jar : jars.filter(j -> j.getFileName().toString().startsWith(prefix)).toList()) {
        Files.delete(jar);
      }
    }
  }

  private void addRival() throws IOException {
    String file = RivalProvider.class.getName().replace('.', '/') + ".class";
    try (OutputStream out = Files.newOutputStream(distribution.resolve("lib/rival.jar"));
        JarOutputStream jar = new JarOutputStream(out);
        InputStream in = RivalProvider.class.getClassLoader().getResourceAsStream(file)) {
      jar.putNextEntry(new ZipEntry(file));
      jar.write(in.readAllBytes());
      jar.putNextEntry(new ZipEntry("META-INF/services/" + LockProvider.class.getName()));
      jar.write(RivalProvider.class.getName().getBytes(StandardCharsets.UTF_8));
    }
  }
}
