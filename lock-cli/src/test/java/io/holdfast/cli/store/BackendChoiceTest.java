package io.holdfast.cli.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.cli.Cli;
import io.holdfast.cli.store.BackendChoice.Source;
import io.holdfast.error.BadRequestException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackendChoiceTest {

  @TempDir private Path root;
  private final Cli cli = new Cli();

  @BeforeEach
  void nothingSaid() {
    cli.environment.clear();
    cli.machineDirectory = root.resolve("machine");
    cli.home = root.resolve("home");
  }

  @Test
  void theOptionComesFirst() {
    cli.environment.put("HOLDFAST_BACKEND", "b:");
    assertThat(BackendChoice.of("a:", null, cli.surroundings()).uri()).isEqualTo("a:");
  }

  @Test
  void orTheFirstLineOfAFile() throws IOException {
    cli.environment.put("HOLDFAST_BACKEND", "b:");
    Path file = Files.writeString(root.resolve("backend"), " redis://:secret@host\nmore\n");

    BackendChoice choice = BackendChoice.of(null, file, cli.surroundings());

    assertThat(choice.uri()).isEqualTo("redis://:secret@host");
    assertThat(choice.source()).isEqualTo(Source.FILE);
  }

  @Test
  void aFileThatNamesNoStoreIsRefused() throws IOException {
    Path empty = Files.createFile(root.resolve("empty"));

    assertThatThrownBy(() -> BackendChoice.of(null, empty, cli.surroundings()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining(empty.toString());
    assertThatThrownBy(() -> BackendChoice.of(null, root.resolve("missing"), cli.surroundings()))
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("missing");
  }

  @Test
  void thenTheEnvironment() throws IOException {
    Files.createDirectory(cli.machineDirectory);
    cli.environment.put("HOLDFAST_BACKEND", "b:");
    assertThat(choice().uri()).isEqualTo("b:");
  }

  @Test
  void thenTheMachinesDirectoryIfThereIsOne() throws IOException {
    cli.environment.put("HOLDFAST_BACKEND", "");
    Files.createDirectory(cli.machineDirectory);

    assertThat(choice().source()).isEqualTo(Source.MACHINE);
    assertThat(choice().uri()).isEqualTo("jdbc:sqlite:" + root + "/machine/locks.db");
  }

  @Test
  void aStickyDirectoryOfTheMachineIsPassedOver() throws Exception {
    Files.createDirectory(cli.machineDirectory);
    makeSticky(cli.machineDirectory);

    assertThat(choice().source()).isEqualTo(Source.USER);
  }

  @Test
  void thenTheUsersOwnStateDirectory() {
    assertThat(choice().uri())
        .isEqualTo("jdbc:sqlite:" + root + "/home/.local/state/holdfast/locks.db");
    cli.environment.put("HOME", root + "/other");
    assertThat(choice().uri()).startsWith("jdbc:sqlite:" + root + "/other/.local/state/");
    cli.environment.put("XDG_STATE_HOME", root + "/state");
    assertThat(choice().uri()).isEqualTo("jdbc:sqlite:" + root + "/state/holdfast/locks.db");
    cli.environment.put("XDG_STATE_HOME", "relative");
    assertThat(choice().uri()).startsWith("jdbc:sqlite:" + root + "/other/.local/state/");
  }

  @Test
  void theUsersDirectoryIsMadeForThemAlone() throws IOException {
    choice().prepare();
    choice().prepare();

    Path made = root.resolve("home/.local/state/holdfast");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
        .isEqualTo("rwx------");
  }

  @Test
  void aStickyDirectoryOfTheUserIsRefused() throws Exception {
    Path state = Files.createDirectories(root.resolve("home/.local/state/holdfast"));
    makeSticky(state);

    assertThatThrownBy(() -> choice().prepare())
        .isInstanceOf(BadRequestException.class)
        .hasMessageContaining("sticky")
        .hasMessageContaining("--backend");
  }

  @Test
  void theMachinesLockFileIsForEverybodyWhoMayWriteInItsDirectory() throws Exception {
    Files.createDirectory(cli.machineDirectory);
    Files.setPosixFilePermissions(
        cli.machineDirectory, PosixFilePermissions.fromString("rwxrwxrwx"));

    choice().prepare();
    choice().prepare();

    Path file = cli.machineDirectory.resolve("locks.db");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-rw-rw-");
    assertThat(cli.machineDirectory).isDirectoryNotContaining(f -> !f.equals(file));
  }

  @Test
  void theMachinesLockFileIsNobodyElsesWhereNobodyElseMayWrite() throws Exception {
    Files.createDirectory(cli.machineDirectory);
    Files.setPosixFilePermissions(
        cli.machineDirectory, PosixFilePermissions.fromString("rwxr-xr-x"));

    choice().prepare();

    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(cli.machineDirectory.resolve("locks.db"))))
        .isEqualTo("rw-------");
  }

  private BackendChoice choice() {
    return BackendChoice.of(null, null, cli.surroundings());
  }

  private static void makeSticky(Path directory) throws Exception {
    assertThat(new ProcessBuilder("chmod", "1777", directory.toString()).start().waitFor())
        .isZero();
  }
}
