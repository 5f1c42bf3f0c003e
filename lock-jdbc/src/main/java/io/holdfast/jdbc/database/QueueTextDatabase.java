package io.holdfast.jdbc.database;

import java.util.Optional;
import java.util.function.Function;

/** A database where a queue is one text in its lock's row. */
public interface QueueTextDatabase extends LockDatabase {

  @Override
  QueueTextDialect dialect();

  @Override
  default LockVerbs verbs(Options options, Function<QueueTextDatabase, LockVerbs> onTexts) {
    return onTexts.apply(this);
  }

  /** Returns what tells that something has changed; empty where waiters have to poll. */
  default Optional<ChangeSource> changes() {
    return Optional.empty();
  }
}
