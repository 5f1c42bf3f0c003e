package io.holdfast.cli.commands;

import io.holdfast.LockMode;
import io.holdfast.cli.store.NamedStore;
import io.holdfast.cli.waiting.Wait;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The request that the arguments of {@code run} make.
 *
 * @param name the lock's name
 * @param command the command to run, and its arguments
 * @param waiting how long to wait for the lock and the store
 * @param retry how long to try again while the store cannot be reached, instead of for as long as
 *     is waited for the lock; empty if nothing was said
 * @param ttl the TTL of the session
 * @param mode how the lock is held
 * @param times of the lock and the command
 * @param why the reason, which {@code inspect} shows
 * @param foreground whether the terminal is left to the command
 * @param quiet whether errors alone are printed
 * @param store where the lock is
 */
public record RunRequest(
    String name,
    List<String> command,
    Wait waiting,
    Optional<Wait> retry,
    Duration ttl,
    LockMode mode,
    RunTimes times,
    String why,
    boolean foreground,
    boolean quiet,
    NamedStore store) {

  /** The TTL unless another one is asked for. */
  static final Duration USUAL_TTL = Duration.ofSeconds(15);

  /** Returns the command that runs a line of the shell. */
  static List<String> shell(String line) {
    return List.of("/bin/sh", "-c", line);
  }

  /** Copies the command. */
  public RunRequest {
    command = List.copyOf(command);
  }
}
