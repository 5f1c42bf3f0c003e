package io.holdfast.redis;

import io.holdfast.LockName;
import io.holdfast.record.Holder;
import io.holdfast.record.Liveness;
import io.holdfast.record.LockRecord;
import io.holdfast.record.Waiter;
import io.holdfast.redis.script.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * A lock's record in the answer of a script: name, number, since, holders, waiters, how many wait.
 * A holder is four elements, see {@code inspect.lua}.
 */
record RecordReply(Reply reply) {

  private static final int ENTRY = 0;
  private static final int LIVENESS = 1;
  private static final int DUE = 2;
  private static final int STAY_LEFT = 3;
  private static final int ELEMENTS = 4;

  /** How many wait; not in a refusal. */
  private static final int WAITING = 5;

  LockRecord record() {
    LockName name = new LockName(reply.text(0));
    List<Holder> holders = new ArrayList<>();
    Reply judged = holders();
    for (int i = 0; i < judged.size(); i += ELEMENTS) {
      holders.add(
          EntryText.parse(name, judged.bytes(i + ENTRY))
              .asHolder(
                  reply.instant(2),
                  Liveness.valueOf(judged.text(i + LIVENESS)),
                  judged.optionalDuration(i + STAY_LEFT),
                  judged.optionalDuration(i + DUE)));
    }
    List<Waiter> waiters = waiters(name, Reply.of(reply.parts().get(4)));
    int waiting = reply.size() > WAITING ? (int) reply.number(WAITING) : 0;
    return new LockRecord(name, reply.number(1), holders, waiters, waiting);
  }

  static List<Waiter> waiters(LockName name, Reply entries) {
    return entries.parts().stream()
        .map(entry -> EntryText.parse(name, (byte[]) entry).asWaiter())
        .toList();
  }

  private Reply holders() {
    return Reply.of(reply.parts().get(3));
  }

  /** When the first of the holders may be removed; empty if one may be looked at more closely. */
  Optional<Duration> firstDue() {
    Reply judged = holders();
    List<Duration> due = new ArrayList<>();
    for (int i = 0; i < judged.size(); i += ELEMENTS) {
      judged.optionalDuration(i + DUE).ifPresent(due::add);
    }
    return due.size() * ELEMENTS == judged.size()
        ? due.stream().min(Comparator.naturalOrder())
        : Optional.empty();
  }
}
