package io.holdfast.cli;

import io.holdfast.BadRequestException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which store is used and why: {@code --backend} or {@code --backend-file}, else {@code
 * HOLDFAST_BACKEND}, else the machine's lock file if an administrator has made its directory, else
 * the user's own.
 *
 * <p>Two commands exclude each other only if they use the same store, so a wrong guess here is a
 * lock that locks nothing out: the choice depends on nothing but what is said here, and is told.
 *
 * @param uri names the store; may have a password unless a file is was chosen
 * @param source who chose it
 * @param directory where the lock file is that was chosen for want of anything said
 */
record BackendChoice(String uri, Source source, Optional<Path> directory) {

  static final String VARIABLE = "HOLDFAST_BACKEND";
  static final String FILE_NAME = "locks.db";

  /** Who chose. */
  enum Source {
    OPTION("given with --backend"),
    FILE("read from --backend-file"),
    ENVIRONMENT("from " + VARIABLE),
    MACHINE("shared by all users of this machine"),
    USER("your own: excludes only your own commands on this machine");

    private final String text;

    Source(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  static BackendChoice of(
      @Nullable String option, @Nullable Path optionFile, Surroundings surroundings) {
    if (option != null) {
      return new BackendChoice(option, Source.OPTION, Optional.empty());
    }
    if (optionFile != null) {
      return new BackendChoice(firstLine(optionFile), Source.FILE, Optional.empty());
    }
    String variable = surroundings.environment().getOrDefault(VARIABLE, "");
    if (!variable.isEmpty()) {
      return new BackendChoice(variable, Source.ENVIRONMENT, Optional.empty());
    }
    Path machine = surroundings.machineDirectory();
    // In a sticky directory a user cannot replace the files that another user's process has left.
    if (Files.isDirectory(machine)
        && Files.isWritable(machine)
        && !LockDirectory.isSticky(machine)) {
      return file(machine, Source.MACHINE);
    }
    return file(userDirectory(surroundings), Source.USER);
  }

  private static String firstLine(Path file) {
    try (BufferedReader reader = Files.newBufferedReader(file)) {
      String line = reader.readLine();
      if (line == null || line.isBlank()) {
        throw new BadRequestException(
            "The first line of %s is to be the URI of a store, and it is empty.".formatted(file));
      }
      return line.strip();
    } catch (IOException e) {
      throw new BadRequestException(
          "Cannot read the URI of the store from %s (%s).".formatted(file, e), e);
    }
  }

  private static BackendChoice file(Path directory, Source source) {
    String uri = "jdbc:sqlite:" + directory.resolve(FILE_NAME);
    return new BackendChoice(uri, source, Optional.of(directory));
  }

  private static Path userDirectory(Surroundings surroundings) {
    String state = surroundings.environment().getOrDefault("XDG_STATE_HOME", "");
    String home = surroundings.environment().getOrDefault("HOME", "");
    // Relative paths in these are to be ignored, by the specification of XDG_STATE_HOME.
    Path base;
    if (state.startsWith("/")) {
      base = Path.of(state);
    } else {
      base = (home.startsWith("/") ? Path.of(home) : surroundings.home()).resolve(".local/state");
    }
    return base.resolve("holdfast");
  }

  /**
   * Makes what a chosen file needs to be there.
   *
   * @throws io.holdfast.BadRequestException if that is a sticky directory
   * @throws io.holdfast.BackendUnusableException if it cannot be made
   */
  void prepare() {
    if (source == Source.USER) {
      LockDirectory.makePrivate(directory.orElseThrow());
    } else if (source == Source.MACHINE) {
      LockDirectory.makeSharedFile(directory.orElseThrow(), FILE_NAME);
    }
  }
}
