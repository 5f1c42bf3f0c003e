package io.holdfast.redis;

import static io.holdfast.redis.script.Arguments.ascii;

import io.holdfast.redis.script.Reply;
import io.holdfast.redis.script.Script;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.support.Micros;
import java.time.Duration;

/** Removes holders whose sessions or stays ended long ago. */
final class Sweep {

  /** How many names one script examines: a script holds up the whole server. */
  private static final int BATCH = 200;

  private final Namespace namespace;
  private final Duration idle;

  /**
   * Creates it.
   *
   * @param idle how long ago
   */
  Sweep(Namespace namespace, Duration idle) {
    this.namespace = namespace;
    this.idle = idle;
  }

  /** Returns how many sessions and holders were removed. Sessions that hold nothing expire. */
  int sweep(Deadline deadline) {
    namespace.requireAgreed(deadline);
    int removed = 0;
    for (int partition = 0; partition < namespace.partitions(); partition++) {
      byte[] after = {'-'};
      while (after.length > 0) {
        Reply reply =
            namespace.ask(
                Script.SWEEP,
                partition,
                deadline,
                ascii(Micros.exactly("idle", idle)),
                ascii(BATCH),
                after);
        removed += (int) reply.number(0);
        after =
            reply.size() < 2 || reply.parts().get(1) == null
                ? new byte[0]
                : LockReader.bound('(', reply.bytes(1));
      }
    }
    return removed;
  }
}
