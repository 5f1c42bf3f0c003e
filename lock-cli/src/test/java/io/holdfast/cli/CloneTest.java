package io.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script at the root of a clone, where what it needs to build is missing or odd. */
class CloneTest {

  /** What the script calls besides what is tested. */
  private static final List<String> TOOLS =
      List.of("cat", "date", "dirname", "env", "find", "flock", "id", "mkdir", "readlink", "touch");

  @TempDir private Path directory;
  private Path clone;
  private Path programs;

  @BeforeEach
  void makeClone() throws Exception {
    clone = Files.createDirectory(directory.resolve("clone"));
    Files.createDirectories(clone.resolve("lock-cli/target"));
    Files.createDirectories(clone.resolve("lock-cli/src/main"));
    Files.createDirectory(clone.resolve(".mvn"));
    Files.createFile(clone.resolve("pom.xml"));
    Files.createFile(clone.resolve("lock-cli/pom.xml"));
    Files.copy(Path.of("../holdfast"), clone.resolve("holdfast"));
    programs = Files.createDirectory(directory.resolve("programs"));
    for (String tool : TOOLS) {
      program(tool, "exec " + inPath(tool) + " \"$@\"");
    }
    program("sudo", "while [ \"$1\" = -p ]; do shift 2; done; exec \"$@\"");
  }

  private static Path inPath(String tool) {
    return List.of("/usr/bin", "/bin").stream()
        .map(folder -> Path.of(folder, tool))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }

  private void program(String name, String script) throws IOException {
    Path program = Files.writeString(programs.resolve(name), "#!/bin/bash\n" + script + "\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  /** Both are for COMMAND and for who reads its output. */
  @Test
  void whatInstallsPackagesHasNeitherTheUsersInputNorTheOutput() throws Exception {
    Path read = directory.resolve("read");
    program("apt-get", "echo noise; cat >>" + read);

    Run run = run("run", "demo", "--", "cat");

    assertThat(run.code()).isEqualTo(70);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("noise", "cannot build");
    assertThat(read).isEmptyFile();
  }

  /** As of jenv, asdf and mise: a script that starts another program. */
  @Test
  void aJavaInPathMayBeAScriptThatStartsIt() throws Exception {
    Path home = Path.of(System.getProperty("java.home"));
    program("javac", "exec " + home + "/bin/javac \"$@\"");
    program("mvn", "echo building with $JAVA_HOME; exit 1");

    Run run = run("run", "demo", "--", "cat");

    assertThat(run.code()).isEqualTo(70);
    assertThat(run.err()).contains("building with " + home + "\n");
  }

  private record Run(int code, String out, String err) {}

  private Run run(String... arguments) throws Exception {
    Path in = Files.writeString(directory.resolve("in"), "the user's\n");
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(inPath("bash").toString(), clone.resolve("holdfast").toString());
    builder.command().addAll(List.of(arguments));
    builder.redirectInput(in.toFile()).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().remove("JAVA_HOME");
    builder.environment().put("PATH", programs.toString());
    int code = builder.start().waitFor();
    return new Run(code, Files.readString(out), Files.readString(err));
  }
}
