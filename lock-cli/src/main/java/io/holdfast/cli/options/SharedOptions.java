package io.holdfast.cli.options;

import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of every subcommand. */
public final class SharedOptions {

  @Option(
      names = {"-q", "--quiet"},
      description = "Print errors only, no other messages.")
  private boolean quiet;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  boolean help;

  @Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Print the version.")
  boolean version;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Returns whether {@code --quiet} was given, after the subcommand or before it. */
  public boolean quiet() {
    CommandSpec whole = command.root();
    return quiet || Boolean.TRUE.equals(whole.findOption("--quiet").getValue());
  }

  /** Reads the version that the build wrote into the jar. */
  public static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Version.class.getPackage().getImplementationVersion();
      return new String[] {"holdfast " + (version == null ? "(not built)" : version)};
    }
  }
}
