package io.holdfast.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/**
 * The script at the root answers {@code --help} from files, so that nobody waits for a build to
 * read it. Run with {@code -Dholdfast.writeHelp=true} to write them again.
 */
public class HelpTest {

  private static final Path FILES = Path.of("src", "main", "dist", "help");
  private static final Path DOCS = Path.of("..", "docs");

  static Stream<String> commands() {
    return Stream.concat(Stream.of("holdfast"), subcommands());
  }

  public static Stream<String> subcommands() {
    return line().getSubcommands().keySet().stream();
  }

  @ParameterizedTest
  @MethodSource("commands")
  void theFileSaysWhatTheCommandSays(String command) throws IOException {
    CommandLine line =
        command.equals("holdfast")
            ? line()
            : Objects.requireNonNull(line().getSubcommands().get(command));
    String help = line.getUsageMessage(CommandLine.Help.Ansi.OFF);
    Path file = FILES.resolve(command + ".txt");
    if (Boolean.getBoolean("holdfast.writeHelp")) {
      Files.createDirectories(FILES);
      Files.writeString(file, help);
    }
    assertThat(file).hasContent(help.stripTrailing());
  }

  @Test
  void noFileIsLeftOfACommandThatIsGone() throws IOException {
    try (Stream<Path> files = Files.list(FILES)) {
      assertThat(files.map(file -> file.getFileName().toString().replace(".txt", "")))
          .containsExactlyInAnyOrderElementsOf(commands().toList());
    }
  }

  /** Also of options: what stands in the help alone is found only by those who know its name. */
  @ParameterizedTest
  @MethodSource("subcommands")
  void thePageAboutOperatingNamesTheCommandAndItsOptions(String command) throws IOException {
    String pages = Files.readString(DOCS.resolve("operating.md"));
    assertThat(pages).contains("holdfast " + command);
    pages += Files.readString(DOCS.resolve("election.md"));

    CommandLine line = Objects.requireNonNull(line().getSubcommands().get(command));
    for (CommandLine.Model.OptionSpec option : line.getCommandSpec().options()) {
      if (!option.hidden() && !option.usageHelp() && !option.versionHelp()) {
        assertThat(pages).contains(option.longestName());
      }
    }
  }

  private static CommandLine line() {
    return HoldfastCommand.commandLine(new Cli().surroundings(), "");
  }
}
