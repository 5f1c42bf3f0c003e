package io.holdfast.redis;

import static io.holdfast.redis.script.Arguments.ascii;
import static io.holdfast.redis.script.Arguments.utf8;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.holdfast.redis.script.Reply;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.support.Micros;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Removes holders whose sessions or stays ended long ago. */
final class Sweep {

  /** How many names one script examines: a script holds up the whole server. */
  private static final int BATCH = 200;

  /** Where a range of names begins. */
  private static final String FIRST_NAME = "-";

  private final Namespace namespace;
  private final Duration idle;

  /** The partition with which the next call begins. */
  private volatile int next;

  /** Where it goes on in partitions that were not examined up to their last name. */
  private final Map<Integer, String> from = new ConcurrentHashMap<>();

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
   * After a failure the next call goes on with the next partition: this one may be down for long.
   *
   * @return how many sessions and holders were removed, at least 1 if names are left to examine.
   *     Sessions that hold nothing expire
   */
  int sweep(Deadline deadline) {
    namespace.requireAgreed(deadline);
    Duration reserve = deadline.remaining().dividedBy(2);
    int removed = 0;
    int partitions = namespace.partitions();
    int partition = next % partitions;
    while (partition < partitions) {
      next = partition + 1; // Unless this one answers.
      Reply reply =
          namespace.ask(
              Script.SWEEP,
              partition,
              deadline,
              ascii(Micros.exactly("idle", idle)),
              ascii(BATCH),
              utf8(from.getOrDefault(partition, FIRST_NAME)));
      removed += (int) reply.number(0);
      boolean isLast = reply.size() < 2 || reply.parts().get(1) == null;
      if (isLast) {
        from.remove(partition);
        partition++;
      } else {
        from.put(partition, new String(LockReader.bound('(', reply.bytes(1)), UTF_8));
      }
      next = partition;
      if (partition < partitions && deadline.remaining().compareTo(reserve) < 0) {
        return Math.max(1, removed);
      }
    }
    next = 0;
    return removed;
  }
}
