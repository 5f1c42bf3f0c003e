package io.holdfast.zookeeper.queue;

import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.spi.answer.Observed;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.StoreClock;
import java.util.List;

/** The verb {@code overtake}: removes a holder that does not count, or begins its lock-delay. */
public final class Overtakes {

  private final QueueReader reader;
  private final Removals removals;
  private final Grabs grabs;

  public Overtakes(QueueReader reader, Removals removals, Grabs grabs) {
    this.reader = reader;
    this.removals = removals;
    this.grabs = grabs;
  }

  public Attempt overtake(Session session, Call call, Request request, Observed observed) {
    QueueReader.View seen = reader.read(call, request.name());
    boolean waits = seen.order().indexOf(request.id()) >= 0;
    boolean removed =
        !observed.request().equals(request.id())
            && reader
                .holder(call, seen, observed)
                .filter(holder -> remove(call, holder, seen.clock()))
                .isPresent();
    if (!removed || waits) {
      return reader.stands(session, call, request);
    }
    // It may hold now, but must not wait: another request may have joined in between.
    return grabs.grab(session, call, request.with(IfHeld.REFUSE));
  }

  /** Each step is bound to the holder as it was read: its stay may have begun again meanwhile. */
  private boolean remove(Call call, Entry holder, StoreClock clock) {
    reader.keepTime(call, List.of(holder), clock);
    if (holder.session().isEmpty() && holder.hasDelayLeft()) {
      beginDelay(call, holder);
      return false;
    }
    return !holder.counts(clock) && removals.remove(call, holder);
  }

  /** From now on the holder stays, once, for the time that it has asked for. */
  static void beginDelay(Call call, Entry holder) {
    Pipeline pipeline = call.pipeline();
    pipeline.write(
        holder.place().path(), holder.data().inDelay().encode(), holder.stat().getVersion());
    pipeline.awaitAnswers();
  }
}
