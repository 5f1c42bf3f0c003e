package io.holdfast.engine;

import io.holdfast.Liveness;
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
import java.util.stream.Stream;

/**
 * Asks the store how a session's requests stand: once per heartbeat for all that wait and all that
 * are unsettled, and between heartbeats for those that may soon be granted. Whatever stands in
 * their way without counting any more is removed.
 */
final class Lookout {

  /** Requests whose turn to ask is this close are asked about together. */
  private static final long TOGETHER_NANOS = 2_000_000;

  private final Core core;
  private final Session session;
  private Timer nextLook = () -> {};
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

  /** The heartbeat's look; one that hangs is not joined by others. */
  void lookAtAll() {
    if (lookingAtAll) {
      return;
    }
    List<RequestKey> keys = new ArrayList<>(session.unsettled.values());
    for (PendingRequest request : session.pending.values()) {
      if (request.isQueued()) {
        keys.add(request.key());
        session.listen(); // Unless it does: what could not be had once may be had now.
      }
    }
    lookingAtAll = true;
    ask(Lane.HEARTBEAT, keys, () -> lookingAtAll = false);
  }

  /** A waiting request wants to be looked at; to be called whenever one's time to look changes. */
  void schedule() {
    if (stopped || looking) {
      return;
    }
    long now = core.seam.nanos();
    long delay = Long.MAX_VALUE;
    for (PendingRequest request : session.pending.values()) {
      if (request.isQueued()) {
        delay = Math.min(delay, request.pace().nanosUntilDue(now));
      }
    }
    nextLook.cancel();
    if (delay < Long.MAX_VALUE) {
      nextLook = core.after(delay, this::lookAtDue);
    }
  }

  private void lookAtDue() {
    if (stopped || looking) {
      return;
    }
    long now = core.seam.nanos();
    List<RequestKey> due = new ArrayList<>();
    for (PendingRequest request : session.pending.values()) {
      if (request.isQueued() && request.pace().nanosUntilDue(now) <= TOGETHER_NANOS) {
        due.add(request.key());
      }
    }
    looking = !due.isEmpty();
    ask(
        Lane.BACKGROUND,
        due,
        () -> {
          looking = false;
          schedule();
        });
  }

  private void ask(Lane lane, List<RequestKey> keys, Runnable afterwards) {
    if (keys.isEmpty()) {
      afterwards.run();
      return;
    }
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
        },
        failure -> {
          waiting(keys).forEach(request -> request.pace().lookFailed(core.seam.nanos()));
          afterwards.run();
        });
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
      request.pace().standsBehind(waiting.ahead(), session.wakeup(), core.seam.nanos());
      if (!waiting.obstacles().isEmpty() && request.beginClearing()) {
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
        schedule();
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
          failure -> skip.run());
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
            next.run();
          },
          failure -> {
            request.overtakeFailed(sent, failure);
            skip.run();
          });
    } else {
      core.call(
          Lane.BACKGROUND,
          Core.CALL_TIMEOUT,
          deadline -> core.backend.release(obstacle.head().name(), obstacle.request(), deadline),
          released -> next.run(),
          failure -> skip.run());
    }
  }
}
