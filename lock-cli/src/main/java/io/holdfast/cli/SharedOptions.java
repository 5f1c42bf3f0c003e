package io.holdfast.cli;

import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every subcommand takes. */
final class SharedOptions {

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no messages but those about errors.")
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

  /** Returns whether it was asked for, after the subcommand or before it. */
  boolean quiet() {
    CommandSpec whole = command.root();
    return quiet || Boolean.TRUE.equals(whole.findOption("--quiet").getValue());
  }

  /** Tells the version that the build wrote into the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"holdfast " + (version == null ? "(not built)" : version)};
    }
  }
}
