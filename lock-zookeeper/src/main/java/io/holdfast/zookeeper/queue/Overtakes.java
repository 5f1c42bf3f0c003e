package io.holdfast.zookeeper.queue;

import io.holdfast.Liveness;
import io.holdfast.spi.Attempt;
import io.holdfast.spi.Observed;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.session.Session;
import java.util.List;

/** The verb {@code overtake}: removes a holder that does not count. */
public final class Overtakes {

  private final QueueReader reader;
  private final Grabs grabs;

  public Overtakes(QueueReader reader, Grabs grabs) {
    this.reader = reader;
    this.grabs = grabs;
  }

  public Attempt overtake(Session session, Call call, Request request, Observed observed) {
    QueueReader.View seen = reader.read(call, request.name());
    boolean waits = seen.order().indexOf(request.id()) >= 0;
    boolean removed =
        !observed.request().equals(request.id())
            && reader
                .holder(call, seen, observed)
                .filter(holder -> mayGo(call, holder, seen.clock()))
                .filter(holder -> remove(call, holder))
                .isPresent();
    if (!removed || waits) {
      return reader.stands(session, call, request);
    }
    // It may hold now, but must not wait: another request may have joined in between.
    return grabs.grab(session, call, request.with(IfHeld.REFUSE));
  }

  private boolean mayGo(Call call, Entry holder, StoreClock clock) {
    reader.keepTime(call, List.of(holder), clock);
    return holder.liveness(clock) != Liveness.LIVE;
  }

  /** Removes a holder, unless its stay has begun anew meanwhile. */
  private static boolean remove(Call call, Entry holder) {
    Pipeline pipeline = call.pipeline();
    Answer<Boolean> removed = pipeline.delete(holder.place().path(), holder.stat().getVersion());
    pipeline.awaitAnswers();
    return removed.isOk();
  }
}
