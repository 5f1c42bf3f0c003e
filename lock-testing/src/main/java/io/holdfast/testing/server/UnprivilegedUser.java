package io.holdfast.testing.server;

import io.holdfast.tck.server.Tools;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The user of a server that refuses to be run by root: ourselves, unless we are root. */
public final class UnprivilegedUser {

  private static final String ROOT = "root";
  private static final String NOBODY = "nobody";

  private final Optional<UserPrincipal> other;

  private UnprivilegedUser(Optional<UserPrincipal> other) {
    this.other = other;
  }

  /** Returns us, or where we are root the preferred user, or nobody if there is no such user. */
  public static UnprivilegedUser preferring(String name) {
    if (!ROOT.equals(System.getProperty("user.name"))) {
      return new UnprivilegedUser(Optional.empty());
    }
    return new UnprivilegedUser(Optional.of(lookUp(name).or(() -> lookUp(NOBODY)).orElseThrow()));
  }

  private static Optional<UserPrincipal> lookUp(String name) {
    try {
      return Optional.of(
          FileSystems.getDefault().getUserPrincipalLookupService().lookupPrincipalByName(name));
    } catch (UserPrincipalNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the command as this user has it executed; the process stays the same. */
  public List<String> command(List<String> command) {
    List<String> all = new ArrayList<>();
    other.ifPresent(
        user ->
            all.addAll(List.of("setpriv", "--reuid=" + user.getName(), "--clear-groups", "--")));
    all.addAll(command);
    return all;
  }

  /** Makes a directory for temporary files that belongs to this user, until the JVM ends. */
  public Path makeDirectory(String prefix) {
    try {
      Path directory = Tools.makeTemporaryDirectory(prefix);
      if (other.isPresent()) {
        Files.setOwner(directory, other.get());
      }
      return directory;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
