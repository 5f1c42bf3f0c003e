package io.holdfast.cli.commands;

import io.holdfast.BadRequestException;
import io.holdfast.LockMode;
import io.holdfast.cli.store.NamedStore;
import io.holdfast.cli.waiting.Wait;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What the arguments of {@code run} ask for.
 *
 * @param name the lock's name
 * @param command what to run, and its arguments
 * @param waiting how long to wait for the lock and the store
 * @param ttl the TTL of the session
 * @param mode how the lock is held
 * @param atMost how long the command may run; empty for as long as it likes
 * @param why the reason, which {@code inspect} shows
 * @param foreground whether the terminal is left to the command
 * @param quiet whether errors alone are printed
 * @param store where the lock is
 */
public record RunRequest(
    String name,
    List<String> command,
    Wait waiting,
    Duration ttl,
    LockMode mode,
    Optional<Duration> atMost,
    String why,
    boolean foreground,
    boolean quiet,
    NamedStore store) {

  /** The TTL unless another one is asked for. */
  static final Duration USUAL_TTL = Duration.ofSeconds(15);

  private static final Duration GREATEST_AT_MOST = Duration.ofDays(365);

  /**
   * Checks what no store is needed for.
   *
   * @throws BadRequestException if the command is to have no time to run, or more than a year
   */
  public RunRequest {
    atMost.ifPresent(RunRequest::requireUsable);
    command = List.copyOf(command);
  }

  private static void requireUsable(Duration atMost) {
    if (atMost.isZero() || atMost.isNegative() || atMost.compareTo(GREATEST_AT_MOST) > 0) {
      throw new BadRequestException(
          "--at-most must be longer than 0s and at most %dd".formatted(GREATEST_AT_MOST.toDays()));
    }
  }
}
