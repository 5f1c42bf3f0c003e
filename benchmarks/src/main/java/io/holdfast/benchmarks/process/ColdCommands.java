package io.holdfast.benchmarks.process;

import io.holdfast.benchmarks.process.ColdStart.Command;
import io.holdfast.tck.server.ShortLivedJvm;
import io.holdfast.tck.server.Tools;
import io.holdfast.testing.etcd.EtcdServer;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The commands whose start is compared. The bare JVM comes first: the others are to it. */
public final class ColdCommands implements AutoCloseable {

  /** Builds the command if that is needed, and starts it. */
  private static final Path LAUNCHER = Path.of("holdfast");

  /** The command that an installation would have in its path. */
  private static final Path INSTALLED = Path.of("lock-cli/target/builds/current/bin/holdfast");

  private final Path folder = Tools.makeTemporaryDirectory("holdfast-cold-");
  private final List<Command> commands = new ArrayList<>();
  private final List<String> missing = new ArrayList<>();
  private Optional<EtcdServer> etcd = Optional.empty();

  /** Prepares what they need. */
  public ColdCommands() throws URISyntaxException {
    commands.add(new Command("a bare JVM", bareJvm()));
    addHoldfast();
    addFlock();
    addEtcdctl();
  }

  public List<Command> commands() {
    return commands;
  }

  /** Returns why which of them is left out, in a sentence each. */
  public List<String> missing() {
    return missing;
  }

  /** With the class path of one directory, and the options of the command's own JVM that count. */
  private static List<String> bareJvm() throws URISyntaxException {
    String classes =
        Path.of(Nothing.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();
    List<String> words = new ArrayList<>(ShortLivedJvm.command(Nothing.class.getName()));
    words.set(words.indexOf("-cp") + 1, classes);
    return words;
  }

  private void addHoldfast() {
    if (!Files.isExecutable(LAUNCHER)) {
      missing.add("`holdfast run` is not measured, because this is not the root of a clone.");
      return;
    }
    Tools.run(List.of(LAUNCHER.toAbsolutePath().toString(), "--version"));
    commands.add(
        new Command(
            "holdfast run -- true (SQLite)",
            List.of(
                INSTALLED.toAbsolutePath().toString(),
                "run",
                "--quiet",
                "--backend",
                "jdbc:sqlite:" + folder.resolve("locks.db"),
                "cold",
                "--",
                "true")));
  }

  private void addFlock() {
    inPath("flock")
        .ifPresentOrElse(
            flock ->
                commands.add(
                    new Command(
                        "flock FILE true",
                        List.of(flock, folder.resolve("flock").toString(), "true"))),
            () -> missing.add("`flock` is not measured, because it is not installed."));
  }

  private void addEtcdctl() {
    inPath("etcdctl")
        .ifPresentOrElse(
            etcdctl -> {
              EtcdServer server = EtcdServer.launch();
              etcd = Optional.of(server);
              commands.add(
                  new Command(
                      "etcdctl lock NAME true",
                      List.of(
                          "env",
                          "ETCDCTL_API=3",
                          etcdctl,
                          "--endpoints=" + server.address(),
                          "lock",
                          "cold",
                          "true")));
            },
            () ->
                missing.add(
                    "`etcdctl lock` is not measured, because `etcdctl` (on Debian the package `etcd-client`) is not installed."));
  }

  private static Optional<String> inPath(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Arrays.stream(path.split(File.pathSeparator, -1))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, program))
        .filter(Files::isExecutable)
        .findFirst()
        .map(Path::toString);
  }

  @Override
  public void close() {
    etcd.ifPresent(EtcdServer::close);
    Tools.delete(folder);
  }
}
