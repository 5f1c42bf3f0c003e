package io.holdfast.tck.history.check;

import io.holdfast.spi.Capabilities;
import java.time.Duration;
import java.util.List;

/**
 * The expectations that a checker has besides the history.
 *
 * @param order how the store claims to serve waiters
 * @param idleMax for how long a request may go on waiting while no client is known to hold the
 *     lock, and for how long a call may overrun its time to wait; well above the time after which a
 *     dead holder is overtaken
 * @param residue the names of locks that were still held in the store after all clients had left
 */
public record Expectations(Capabilities.Order order, Duration idleMax, List<String> residue) {

  /** Copies the list. */
  public Expectations {
    residue = List.copyOf(residue);
  }

  /** Nothing is left in the store. */
  public static Expectations of(Capabilities.Order order, Duration idleMax) {
    return new Expectations(order, idleMax, List.of());
  }

  /** With locks that were still held after all clients had left. */
  public Expectations residue(List<String> names) {
    return new Expectations(order, idleMax, names);
  }
}
