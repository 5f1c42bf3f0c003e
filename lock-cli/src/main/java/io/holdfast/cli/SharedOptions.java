package io.holdfast.cli;

import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/** What every subcommand takes. */
final class SharedOptions {

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no messages but those about errors.")
  boolean quiet;

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

  /** Tells the version that the build wrote into the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = Main.class.getPackage().getImplementationVersion();
      return new String[] {"holdfast " + (version == null ? "(not built)" : version)};
    }
  }
}
