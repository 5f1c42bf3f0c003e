package io.holdfast.cli.elect;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.Grant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;

/**
 * A file that is there while the command of a leader runs, for health checks. It has the sequencer
 * of the leader's grant in it.
 *
 * @param file empty for none
 */
record ReadyFile(Optional<Path> file) {

  void create(Grant grant) throws IOException {
    if (file.isPresent()) {
      Path whole = file.get().toAbsolutePath();
      Path part = whole.resolveSibling(whole.getFileName() + ".part");
      Files.writeString(part, grant.sequencer() + "\n", UTF_8);
      // A check that reads it sees all of it.
      Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Removes the file, also what an earlier process has left that was killed. */
  void remove() throws IOException {
    if (file.isPresent()) {
      Files.deleteIfExists(file.get());
    }
  }
}
