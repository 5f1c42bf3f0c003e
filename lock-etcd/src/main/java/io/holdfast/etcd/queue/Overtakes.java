package io.holdfast.etcd.queue;

import io.etcd.jetcd.op.Cmp;
import io.holdfast.etcd.connection.EtcdCalls;
import io.holdfast.etcd.connection.Ops;
import io.holdfast.etcd.format.Keys;
import io.holdfast.etcd.format.Mark;
import io.holdfast.etcd.session.Namespaces;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The verb {@code overtake}: removes a holder that was revoked long enough ago, and begins the
 * lock-delay of one whose session is over. etcd itself removes holders whose session or whose stay
 * is over.
 */
public final class Overtakes {

  private final Keys keys;
  private final Namespaces namespaces;
  private final Queues queues;
  private final HolderStays stays;

  public Overtakes(Keys keys, Namespaces namespaces, Queues queues, HolderStays stays) {
    this.keys = keys;
    this.namespaces = namespaces;
    this.queues = queues;
    this.stays = stays;
  }

  public Attempt overtake(EtcdCalls calls, Request request, Observed observed) {
    Optional<Queues.Requester> requester = queues.requester(calls, request);
    if (requester.isEmpty()) {
      return queues.over(request);
    }
    boolean removed =
        !observed.request().equals(request.id())
            && isRemoved(calls, observed, conditions(request, requester.get()));
    Attempt stands = queues.stand(calls, request);
    // A newcomer may hold now but must not wait: another request may have joined in between.
    return removed && stands instanceof Attempt.Refused
        ? queues.join(calls, request.with(IfHeld.REFUSE), requester.get())
        : stands;
  }

  private List<Cmp> conditions(Request request, Queues.Requester requester) {
    return List.of(
        Ops.isThere(keys.session(request.id().session()), requester.session().revision()),
        Ops.isThere(keys.namespace(), requester.namespace().revision()));
  }

  /** Does the step that is due, and returns whether the holder is gone. */
  private boolean isRemoved(EtcdCalls calls, Observed observed, List<Cmp> onlyIf) {
    Optional<Entry> holder =
        Entry.find(calls, keys, namespaces, new RequestKey(observed.name(), observed.request()))
            .filter(entry -> entry.isAsObserved(observed));
    if (holder.isEmpty()) {
      return false;
    }
    return switch (holder.get().liveness()) {
      case REVOCATION_DUE -> removeRevoked(calls, holder.get(), onlyIf);
      case ENDED -> {
        boolean unused = stays.beginDelay(calls, holder.get(), onlyIf);
        yield false;
      }
      case LIVE, STAYING, LAPSED -> false;
    };
  }

  private boolean removeRevoked(EtcdCalls calls, Entry holder, List<Cmp> onlyIf) {
    List<Cmp> conditions = new ArrayList<>(onlyIf);
    conditions.add(Ops.isThere(holder.stored().getKey(), holder.stored().getCreateRevision()));
    conditions.add(Ops.isThere(keys.mark(holder.seat(), Mark.REVOKED)));
    conditions.add(Ops.isAbsent(keys.mark(holder.seat(), Mark.TIMER)));
    return calls
        .txn(conditions, Ops.removal(keys, holder.seat(), holder.stored().getKey()), List.of())
        .isSucceeded();
  }
}
