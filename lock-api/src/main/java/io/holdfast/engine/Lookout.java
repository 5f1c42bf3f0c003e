package io.holdfast.engine;

import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.RequestId;
import io.holdfast.engine.Seam.Lane;
import io.holdfast.engine.Seam.Timer;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.EndIf;
import io.holdfast.spi.Ended;
import io.holdfast.spi.Obstacle;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.Standing;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Asks the store how a session's requests stand: once per heartbeat for all that wait and all that
 * are unsettled, and between heartbeats for those that may soon be granted. Whatever stands in
 * their way without counting any more is removed.
 */
final class Lookout {

  /** Requests whose turn to ask is this close are asked about together. */
  private static final long TOGETHER_NANOS = 2_000_000;

  /** So many are asked about in one call. */
  private static final int SLICE = 1_000;

  private final Core core;
  private final Session session;
  private final Waits waits = new Waits();
  private Timer nextLook = () -> {};
  private OptionalLong scheduledAtNanos = OptionalLong.empty();
  private boolean looking;
  private boolean lookingAtAll;
  private boolean stopped;

  Lookout(Core core, Session session) {
    this.core = core;
    this.session = session;
  }

  void stop() {
    stopped = true;
    nextLook.cancel();
  }

  /** A request has begun to wait, or wants to be looked at another time than before. */
  void wanted(PendingRequest request) {
    waits.put(request);
    schedule();
  }

  /** A request waits no more. */
  void forget(PendingRequest request) {
    waits.remove(request);
  }

  /** Something about a lock may have changed. */
  void hinted(LockName name) {
    lookNow(waits.of(name));
  }

  /** What has changed is not known. */
  void hintedAll() {
    lookNow(waits.all());
  }

  private void lookNow(List<PendingRequest> requests) {
    long now = core.seam.nanos();
    for (PendingRequest request : requests) {
      request.pace().lookNow(now);
      waits.put(request);
    }
    schedule();
  }

  /** The heartbeat's look; one that hangs is not joined by others. */
  void lookAtAll() {
    if (lookingAtAll) {
      return;
    }
    List<RequestKey> keys = new ArrayList<>(session.unsettled.values());
    List<PendingRequest> waiting = waits.all();
    waiting.forEach(request -> keys.add(request.key()));
    if (!waiting.isEmpty()) {
      session.listen(); // Unless it does: what could not be had once may be had now.
    }
    lookingAtAll = true;
    askFrom(keys, 0);
  }

  /** One slice after the other, so that no turn is longer for all that wait. */
  private void askFrom(List<RequestKey> keys, int from) {
    if (from >= keys.size() || stopped) {
      lookingAtAll = false;
      return;
    }
    int to = Math.min(from + SLICE, keys.size());
    ask(Lane.HEARTBEAT, List.copyOf(keys.subList(from, to)), () -> askFrom(keys, to));
  }

  private void schedule() {
    OptionalLong first = waits.firstDueAtNanos();
    if (stopped || looking || first.equals(scheduledAtNanos)) {
      return;
    }
    nextLook.cancel();
    scheduledAtNanos = first;
    if (first.isPresent()) {
      nextLook = core.after(first.getAsLong() - core.seam.nanos(), this::lookAtDue);
    }
  }

  private void lookAtDue() {
    scheduledAtNanos = OptionalLong.empty();
    if (stopped || looking) {
      return;
    }
    List<PendingRequest> due = waits.dueUntil(core.seam.nanos() + TOGETHER_NANOS, SLICE);
    if (due.isEmpty()) {
      schedule();
      return;
    }
    looking = true;
    ask(Lane.BACKGROUND, due.stream().map(PendingRequest::key).toList(), () -> looking = false);
  }

  private void ask(Lane lane, List<RequestKey> keys, Runnable afterwards) {
    waiting(keys).forEach(request -> request.pace().lookSent());
    core.call(
        lane,
        Core.CALL_TIMEOUT,
        deadline -> core.backend.look(session.id, keys, deadline),
        standings -> {
          for (int i = 0; i < keys.size() && !stopped; i++) {
            told(keys.get(i), standings.get(i));
          }
          afterwards.run();
          schedule();
        },
        failure -> {
          waiting(keys).toList().forEach(request -> lookFailed(request, failure));
          afterwards.run();
          schedule();
        });
  }

  /** What does not pass by itself, the one who waits is told: it would wait for ever. */
  private void lookFailed(PendingRequest request, RuntimeException failure) {
    if (failure instanceof AdapterMistakeException) {
      request.fails(failure);
    } else {
      request.pace().lookFailed(core.seam.nanos());
      if (request.isQueued()) {
        waits.put(request);
      }
    }
  }

  private void clearingFailed(PendingRequest request, RuntimeException failure, Runnable skip) {
    if (failure instanceof AdapterMistakeException) {
      request.fails(failure);
    }
    skip.run();
  }

  private Stream<PendingRequest> waiting(List<RequestKey> keys) {
    return keys.stream().flatMap(key -> Stream.ofNullable(session.pending.get(key.request())));
  }

  private void told(RequestKey key, Standing standing) {
    RequestId id = key.request();
    PendingRequest request = session.pending.get(id);
    if (request == null) {
      // Unsettled, or given up while the answer was on its way. If it is in the store, nobody here
      // wants it.
      if (session.unsettled.containsKey(id) && !(standing instanceof Standing.Absent)) {
        session.withdraw(key);
      }
    } else if (!request.isQueued()) {
      return;
    } else if (standing instanceof Standing.Holding holding) {
      request.granted(holding.number(), holding.since());
    } else if (standing instanceof Standing.Waiting waiting) {
      request
          .pace()
          .standsBehind(waiting.ahead(), session.wakeup(), waiting.nextDue(), core.seam.nanos());
      waits.put(request);
      if (!waiting.obstacles().isEmpty() && request.beginClearing(core.seam.nanos())) {
        clear(request, waiting.obstacles(), 0, false);
      }
    } else {
      request.vanished();
    }
  }

  /** Removes the obstacles one after the other, then looks again if any is gone. */
  private void clear(PendingRequest request, List<Obstacle> obstacles, int index, boolean removed) {
    if (index == obstacles.size() || stopped || !request.isQueued()) {
      request.endClearing();
      if (removed && request.isQueued()) {
        request.pace().lookNow(core.seam.nanos());
        wanted(request);
      }
      return;
    }
    Obstacle obstacle = obstacles.get(index);
    Runnable next = () -> clear(request, obstacles, index + 1, true);
    Runnable skip = () -> clear(request, obstacles, index + 1, removed);
    if (obstacle.liveness() == Liveness.LAPSED) {
      core.call(
          Lane.BACKGROUND,
          Core.CALL_TIMEOUT,
          deadline -> core.backend.end(obstacle.request().session(), EndIf.LAPSED, deadline),
          ended -> {
            // Only a session that is over may be passed by: until then a renewal still saves it.
            if (ended == Ended.OVER) {
              remove(request, obstacle, next, skip);
            } else {
              skip.run();
            }
          },
          failure -> clearingFailed(request, failure, skip));
    } else {
      remove(request, obstacle, next, skip);
    }
  }

  private void remove(PendingRequest request, Obstacle obstacle, Runnable next, Runnable skip) {
    if (!request.isQueued()) {
      skip.run();
    } else if (obstacle.isHead()) {
      Request sent = request.request();
      request.overtakeSent();
      core.<Attempt>call(
          Lane.BACKGROUND,
          Core.CALL_TIMEOUT,
          deadline -> core.backend.overtake(sent, obstacle.head(), deadline),
          attempt -> {
            request.overtakeAnswered(sent);
            if (attempt instanceof Attempt.Delayed delayed) {
              request.endClearing();
              request.clearingDelayed(delayed.remaining());
              if (request.isQueued()) {
                wanted(request);
              }
            } else {
              next.run();
            }
          },
          failure -> {
            request.overtakeFailed(sent, failure);
            clearingFailed(request, failure, skip);
          });
    } else {
      core.call(
          Lane.BACKGROUND,
          Core.CALL_TIMEOUT,
          deadline -> core.backend.release(obstacle.head().name(), obstacle.request(), deadline),
          released -> next.run(),
          failure -> clearingFailed(request, failure, skip));
    }
  }
}
