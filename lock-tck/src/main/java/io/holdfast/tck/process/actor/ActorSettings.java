package io.holdfast.tck.process.actor;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings of an actor.
 *
 * @param process its name in the history
 * @param directory where the files of the run are
 * @param ttl the TTL of its sessions
 * @param maxWait how long it waits for an event that must come
 * @param locks the locks of the run
 */
public record ActorSettings(
    String process, Path directory, Duration ttl, Duration maxWait, List<String> locks) {

  private static final int FIXED = 4;

  static ActorSettings parse(List<String> arguments) {
    return new ActorSettings(
        arguments.get(0),
        Path.of(arguments.get(1)),
        Duration.ofMillis(Long.parseLong(arguments.get(2))),
        Duration.ofMillis(Long.parseLong(arguments.get(3))),
        arguments.subList(FIXED, arguments.size()));
  }

  /** Returns what {@link #parse} reads. */
  List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    arguments.add(process);
    arguments.add(directory.toString());
    arguments.add(Long.toString(ttl.toMillis()));
    arguments.add(Long.toString(maxWait.toMillis()));
    arguments.addAll(locks);
    return arguments;
  }
}
