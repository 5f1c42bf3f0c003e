package io.holdfast.redis;

import static io.holdfast.redis.script.Arguments.ascii;
import static io.holdfast.redis.script.Arguments.utf8;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.redis.script.Reply;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.support.Micros;
import java.time.Duration;

/** Removes holders whose sessions or stays ended long ago. */
final class Sweep {

  /** How many names one script examines: a script holds up the whole server. */
  private static final int BATCH = 200;

  /**
   * What comes next.
   *
   * @param from the first name of the partition, as a bound of a range
   */
  private record Position(int partition, String from) {
    static Position startOf(int partition) {
      return new Position(partition, "-");
    }
  }

  private final Namespace namespace;
  private final Duration idle;

  /** Where the next call begins. */
  private volatile Position next = Position.startOf(0);

  /**
   * Creates it.
   *
   * @param idle how long ago
   */
  Sweep(Namespace namespace, Duration idle) {
    this.namespace = namespace;
    this.idle = idle;
  }

  /**
   * Goes on where the last call has ended, up to the last name, or until half of the time is over.
   *
   * @return how many sessions and holders were removed, at least 1 if names are left to examine.
   *     Sessions that hold nothing expire
   */
  int sweep(Deadline deadline) {
    namespace.requireAgreed(deadline);
    Duration reserve = deadline.remaining().dividedBy(2);
    int removed = 0;
    Position position = next;
    while (position.partition() < namespace.partitions()) {
      Reply reply =
          namespace.ask(
              Script.SWEEP,
              position.partition(),
              deadline,
              ascii(Micros.exactly("idle", idle)),
              ascii(BATCH),
              utf8(position.from()));
      removed += (int) reply.number(0);
      boolean isLast = reply.size() < 2 || reply.parts().get(1) == null;
      position =
          isLast
              ? Position.startOf(position.partition() + 1)
              : new Position(
                  position.partition(), new String(LockReader.bound('(', reply.bytes(1)), UTF_8));
      next = position;
      if (deadline.remaining().compareTo(reserve) < 0) {
        return Math.max(1, removed);
      }
    }
    next = Position.startOf(0);
    return removed;
  }
}
