package io.holdfast.cli.store;

import io.holdfast.cli.environment.Surroundings;
import io.holdfast.error.BadRequestException;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The store that the command uses, and who chose it: {@code --backend} or {@code --backend-file},
 * else {@code HOLDFAST_BACKEND}, else the machine's lock file if an administrator has made its
 * directory, else the user's own lock file.
 *
 * <p>Two commands exclude each other only if they use the same store. A wrong choice would make a
 * lock that excludes no other command. So the choice depends on these four things alone, and the
 * command prints it.
 *
 * @param uri names the store; may contain a password unless a lock file was chosen
 * @param source who chose it
 * @param directory the directory of the lock file; empty if the user named a store
 */
public record BackendChoice(String uri, Source source, Optional<Path> directory) {

  static final String VARIABLE = "HOLDFAST_BACKEND";
  static final String FILE_NAME = "locks.db";

  /** A password stands before an "@", or among options. */
  private static final String AROUND_PASSWORDS = "@?;&";

  /** Where the choice comes from. */
  public enum Source {
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

  public static BackendChoice of(
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
            "The first line of %s must be the URI of a store, but it is empty.".formatted(file));
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
   * Returns the store for a question before it is connected. A URI in which there may be a password
   * is cut behind its scheme.
   */
  public String shown() {
    boolean mayHavePassword = uri.chars().anyMatch(c -> AROUND_PASSWORDS.indexOf(c) >= 0);
    String what = mayHavePassword ? uri.substring(0, uri.indexOf(':') + 1) + "…" : uri;
    return what + " (" + source + ")";
  }

  /**
   * Makes the directory or the file that the choice needs, if the library has chosen a lock file.
   *
   * @throws io.holdfast.error.BadRequestException if the directory is sticky
   * @throws io.holdfast.error.BackendUnusableException if the directory or file cannot be made
   */
  public void prepare() {
    if (source == Source.USER) {
      LockDirectory.makePrivate(directory.orElseThrow());
    } else if (source == Source.MACHINE) {
      LockDirectory.makeSharedFile(directory.orElseThrow(), FILE_NAME);
    }
  }
}
