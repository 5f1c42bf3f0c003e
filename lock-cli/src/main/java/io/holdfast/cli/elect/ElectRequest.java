package io.holdfast.cli.elect;

import io.holdfast.cli.store.NamedStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The request that the arguments of {@code elect} make.
 *
 * @param name the election's name, which is that of its lock
 * @param command the command that the leader runs, and its arguments
 * @param onExit the leader's action when the command has ended
 * @param stopTimeout how long the command has from SIGTERM to SIGKILL
 * @param readyFile the file that is there while the command runs; empty for none
 * @param ttl the TTL of the session
 * @param why the reason, which {@code inspect} shows
 * @param quiet whether errors alone are printed
 * @param store where the lock is
 */
public record ElectRequest(
    String name,
    List<String> command,
    OnExit onExit,
    Duration stopTimeout,
    Optional<Path> readyFile,
    Duration ttl,
    String why,
    boolean quiet,
    NamedStore store) {

  /** The leader's action when its command has ended by itself. */
  public enum OnExit {
    /** It goes on leading, and starts the command again after a pause. */
    RESTART,
    /** It gives the lead up, and stands again after a pause. */
    RESIGN,
    /** It gives the lead up, and ends with the command's exit code. */
    EXIT
  }

  public ElectRequest {
    command = List.copyOf(command);
  }
}
