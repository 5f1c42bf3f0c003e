package io.holdfast.zookeeper.queue;

import io.holdfast.LockMode;
import io.holdfast.spi.Request;
import io.holdfast.spi.Request.IfHeld;
import io.holdfast.spi.answer.Attempt;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.RequestCreation;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.session.RememberedPosition;
import io.holdfast.zookeeper.session.RememberedPosition.Holding;
import io.holdfast.zookeeper.session.RememberedPosition.Waiting;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.StayList;
import io.holdfast.zookeeper.session.StoreClock;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * A request that stands in a queue with others: it holds with them, it waits, or it leaves again.
 *
 * @param mine its node
 * @param clock has seen the creation of that
 */
record Arrival(
    QueueReader reader,
    PredecessorWatches watches,
    StayList stays,
    int maxWaiters,
    Session session,
    Call call,
    Request request,
    Namespace namespace,
    RequestCreation mine,
    StoreClock clock) {

  Attempt outcome(QueueOrder listed) {
    QueueOrder order = listed;
    while (true) {
      int index = order.queue().indexOf(mine.place());
      if (index < 0) {
        return reader.stands(session, call, request);
      }
      Optional<Attempt> outcome = outcome(order, index);
      if (outcome.isPresent()) {
        return outcome.get();
      }
      order = reader.order(call, request.name());
    }
  }

  /** Empty if the queue has changed since it was listed. */
  private Optional<Attempt> outcome(QueueOrder order, int index) {
    if (!order.dependsOnFirst(index)) {
      return outcome(order, index, Pipeline.ANY_VERSION);
    }
    return reader
        .entry(call, order.first())
        .flatMap(first -> outcome(order.withFirst(first), index, first.stat().getVersion()));
  }

  private Optional<Attempt> outcome(QueueOrder order, int index, int versionOfFirst) {
    RememberedPosition position = order.position(index, mine);
    session.remember(position);
    if (position instanceof Holding) {
      return Optional.of(
          new Attempt.Granted(namespace.number(mine.zxid()), mine.since(), order.contention()));
    }
    boolean isFull = index - order.holders().size() >= maxWaiters;
    if (request.ifHeld() == IfHeld.REFUSE || isFull) {
      return withdraw(order, index, versionOfFirst);
    }
    watches.waitsBehind(session, request.key(), ((Waiting) position).nearest());
    return Optional.of(new Attempt.Queued());
  }

  /**
   * Leaves a queue that the request joined only to see whether it may hold. If those that keep it
   * out have left meanwhile, it stays.
   */
  private Optional<Attempt> withdraw(QueueOrder order, int index, int versionOfFirst) {
    List<RequestNode> holders = QueueReader.some(order.holders());
    // Any request ahead keeps an exclusive one out; a shared one is let in by a downgrade, too.
    RequestNode keeper = request.mode() == LockMode.SHARED ? order.keeper(index) : order.first();
    int version = keeper.equals(order.first()) ? versionOfFirst : Pipeline.ANY_VERSION;
    Pipeline pipeline = call.pipeline();
    Answer<List<OpResult>> read = pipeline.readAll(reader.reads(holders));
    Answer<List<OpResult>> left =
        pipeline.writeAll(
            List.of(
                Op.check(keeper.path(), version),
                Op.delete(mine.place().path(), Pipeline.ANY_VERSION)));
    pipeline.awaitAnswers();
    if (!left.isOk()) {
      return Optional.empty();
    }
    session.forget(request.id());
    stays.removeDelay(call, request);
    if (request.ifHeld() == IfHeld.QUEUE) {
      return Optional.of(new Attempt.QueueFull("maxWaiters=" + maxWaiters));
    }
    return Optional.of(
        reader.refused(
            call,
            request.name(),
            namespace,
            QueueReader.entries(holders, read.value().orElseThrow()),
            clock));
  }
}
