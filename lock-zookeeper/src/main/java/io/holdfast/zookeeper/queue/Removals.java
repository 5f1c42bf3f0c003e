package io.holdfast.zookeeper.queue;

import io.holdfast.LockName;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.BackendFailure.Effect;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.session.StayList;

/** Takes requests out of their queues. */
public record Removals(StayList stays) {

  /** Removes a request as it was read, unless its node was written to since. */
  boolean remove(Call call, Entry entry) {
    return remove(call, entry, entry.stat().getVersion());
  }

  /** Removes a request, even if its node was written to since. */
  boolean removeAnyhow(Call call, Entry entry) {
    return remove(call, entry, Pipeline.ANY_VERSION);
  }

  private boolean remove(Call call, Entry entry, int version) {
    Pipeline pipeline = call.pipeline();
    Answer<Boolean> removed = pipeline.delete(entry.place().path(), version);
    pipeline.awaitAnswers();
    if (removed.isOk()) {
      removed(call, entry);
    }
    return removed.isOk();
  }

  private void removed(Call call, Entry entry) {
    stays.removeDelay(call, entry.place());
    if (entry.isTombstone()) {
      stays.remove(call, entry.place().request(), StayList.Kind.TOMBSTONE);
    }
  }

  /**
   * Returns what a verb fails with that is repeated and finds a request gone: it may be its deed.
   */
  static BackendFailure notKnown(LockName name, RequestId request, String where) {
    return new BackendFailure(
        Effect.UNKNOWN,
        "Whether the request %s left the queue of lock %s at %s by itself is not known."
            .formatted(request, name, where),
        null);
  }
}
