package io.holdfast.jdbc.rules;

import io.holdfast.jdbc.fixtures.Watching;
import io.holdfast.tck.adapter.PushRules;

/** Hints from a watch of a file, for all sessions of a backend on one thread. */
public interface WatchedPushRules extends PushRules {

  @Override
  default int listeners() {
    return Watching.threads().size();
  }

  @Override
  default void breakListeners() {
    Watching.threads().forEach(Thread::interrupt);
  }
}
