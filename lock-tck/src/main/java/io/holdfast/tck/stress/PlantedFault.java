package io.holdfast.tck.stress;

import io.holdfast.LockMode;
import io.holdfast.LockName;
import io.holdfast.SessionId;
import io.holdfast.record.Holder;
import io.holdfast.record.LockRecord;
import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Deadline;
import io.holdfast.spi.LockBackend;
import io.holdfast.spi.Request;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Contention;
import io.holdfast.spi.answer.Released;
import io.holdfast.spi.answer.Standing;
import io.holdfast.tck.faults.InterceptedBackend;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fault put between clients and a store whose own steps cannot be changed by a test: a judge that
 * finds nothing wrong on that store must find this.
 */
public enum PlantedFault {

  /** A request that is told that it waits is put in line only when it looks. */
  PLACE_LOST(".* was given to .*, which came after .*") {
    @Override
    public LockBackend in(LockBackend store) {
      return new LosesPlaces(store);
    }
  },

  /** A shared request takes no notice of the exclusive one that waits. */
  SHARED_PASSES_WRITER(".* is held by .*|.* was given .*|.* held .*, and then .*|.* held, and .*") {
    @Override
    public LockBackend in(LockBackend store) {
      return new LetsSharedPass(store);
    }
  },

  /** The first of those who share that leaves takes the others along. */
  RUN_ENDS_WITH_FIRST(
      ".* is held by .*|.* was given to .*|.* was lost on .*|.* held .*, and then .*|.* held, and .*") {
    @Override
    public LockBackend in(LockBackend store) {
      return new EndsRuns(store);
    }
  },

  /** A request that joins a run has the number of its first. */
  JOINER_GETS_FIRST_NUMBER(".* was given .* after .*") {
    @Override
    public LockBackend in(LockBackend store) {
      return new RepeatsNumbers(store);
    }
  };

  private final String shownBy;

  PlantedFault(String shownBy) {
    this.shownBy = shownBy;
  }

  /** Requires that what the judge has found comes of this fault. */
  public void requireShown(String found) {
    Assertions.assertThat(found).as("what comes of %s", this).matches(shownBy);
  }

  /** Returns the store with the fault in it. */
  public abstract LockBackend in(LockBackend store);

  private static final class LosesPlaces extends InterceptedBackend {

    /** So many looks are told that it waits: long enough for another to come and be served. */
    private static final int LOOKS = 6;

    private final Map<RequestKey, Unsent> unsent = new ConcurrentHashMap<>();

    private record Unsent(Request request, int looks) {}

    LosesPlaces(LockBackend target) {
      super(target);
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      boolean isHeld =
          target().inspect(request.name(), deadline).stream().anyMatch(LockRecord::isHeld);
      if (!isHeld || look(request, deadline) instanceof Standing.Holding) {
        return super.grab(request, deadline);
      }
      unsent.put(request.key(), new Unsent(request, 0));
      return new Attempt.Queued();
    }

    private Standing look(Request request, Deadline deadline) {
      return super.look(request.id().session(), List.of(request.key()), deadline).get(0);
    }

    @Override
    public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
      List<Standing> answers = new ArrayList<>(super.look(session, requests, deadline));
      for (int i = 0; i < answers.size(); i++) {
        @Nullable Unsent late = unsent.remove(requests.get(i));
        if (late == null) {
          continue;
        }
        if (late.looks() < LOOKS) {
          unsent.put(requests.get(i), new Unsent(late.request(), late.looks() + 1));
        } else {
          super.grab(late.request(), deadline);
        }
        answers.set(i, new Standing.Waiting(1, List.of(), Optional.empty()));
      }
      return answers;
    }

    @Override
    public Released release(LockName name, RequestId request, Deadline deadline) {
      return unsent.remove(new RequestKey(name, request)) == null
          ? super.release(name, request, deadline)
          : Released.WAS_WAITING;
    }
  }

  private static final class LetsSharedPass extends InterceptedBackend {
    LetsSharedPass(LockBackend target) {
      super(target);
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      Attempt attempt = super.grab(request, deadline);
      return attempt instanceof Attempt.Queued && request.mode() == LockMode.SHARED
          ? target()
              .inspect(request.name(), deadline)
              .filter(record -> record.isHeld())
              .<Attempt>map(
                  record ->
                      new Attempt.Granted(
                          record.number() + 1,
                          record.holders().get(0).since(),
                          Contention.NOT_KNOWN))
              .orElse(attempt)
          : attempt;
    }
  }

  private static final class EndsRuns extends InterceptedBackend {

    private static final Logger LOG = LoggerFactory.getLogger(EndsRuns.class);

    EndsRuns(LockBackend target) {
      super(target);
    }

    @Override
    public Released release(LockName name, RequestId request, Deadline deadline) {
      Released released = super.release(name, request, deadline);
      if (released == Released.SHARED) {
        target().inspect(name, deadline).stream()
            .map(LockRecord::holders)
            .flatMap(List::stream)
            .filter(holder -> holder.mode() == LockMode.SHARED)
            .map(Holder::request)
            .forEach(other -> takeAlong(name, other, deadline));
      }
      return released;
    }

    /**
     * Unless its session ends at the same time, and with it the connection over which it is taken.
     */
    private void takeAlong(LockName name, RequestId other, Deadline deadline) {
      try {
        super.release(name, other, deadline);
      } catch (BackendFailure e) {
        LOG.debug("{} was not taken along", other, e);
      }
    }
  }

  private static final class RepeatsNumbers extends InterceptedBackend {
    private final Map<RequestKey, Long> told = new ConcurrentHashMap<>();
    private final Set<RequestKey> shared = ConcurrentHashMap.newKeySet();

    RepeatsNumbers(LockBackend target) {
      super(target);
    }

    private long number(RequestKey key, long own, Deadline deadline) {
      return shared.contains(key)
          ? told.computeIfAbsent(
              key,
              joined ->
                  target().inspect(joined.name(), deadline).map(LockRecord::number).orElse(own))
          : own;
    }

    @Override
    public Attempt grab(Request request, Deadline deadline) {
      if (request.mode() == LockMode.SHARED) {
        shared.add(request.key());
      }
      Attempt attempt = super.grab(request, deadline);
      return attempt instanceof Attempt.Granted granted
          ? new Attempt.Granted(
              number(request.key(), granted.number(), deadline),
              granted.since(),
              granted.contention())
          : attempt;
    }

    @Override
    public List<Standing> look(SessionId session, List<RequestKey> requests, Deadline deadline) {
      List<Standing> answers = new ArrayList<>(super.look(session, requests, deadline));
      for (int i = 0; i < answers.size(); i++) {
        if (answers.get(i) instanceof Standing.Holding holding) {
          answers.set(
              i,
              new Standing.Holding(
                  number(requests.get(i), holding.number(), deadline),
                  holding.since(),
                  holding.contention(),
                  holding.mode()));
        }
      }
      return answers;
    }
  }
}
