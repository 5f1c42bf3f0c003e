package io.holdfast.zookeeper.queue;

import io.holdfast.SessionId;
import io.holdfast.record.RequestId;
import io.holdfast.spi.RequestKey;
import io.holdfast.spi.answer.Standing;
import io.holdfast.spi.support.Batches;
import io.holdfast.spi.support.LooksUnderWay;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Namespaces;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.session.Session;
import io.holdfast.zookeeper.session.StayList;
import java.util.List;
import java.util.Optional;

/**
 * The verb {@code look}: how the requests of a session stand. It checks the remembered positions
 * first. Only where one is not right any more it lists the queue again.
 */
public final class Standings {

  /** How many queues are read at once. */
  static final int QUEUES_PER_READ = 8;

  private final Paths paths;
  private final Look.Tools tools;
  private final LooksUnderWay underWay = new LooksUnderWay();

  public Standings(
      Paths paths,
      Namespaces namespaces,
      QueueReader reader,
      PredecessorWatches watches,
      StayList stays) {
    this.paths = paths;
    this.tools = new Look.Tools(paths, namespaces, reader, watches, stays, underWay);
  }

  /** A request has left its queue. So nothing is remembered of it any more. */
  public void left(RequestId request, Optional<Session> session) {
    underWay.left(request);
    tools.watches().forget(request);
    session.ifPresent(known -> known.forget(request));
  }

  /**
   * Asks about all at the same time, so that a look takes as many round trips however many wait. A
   * reading of a few queues at once is one atomic step.
   */
  public List<Standing> look(
      Call call, SessionId session, Optional<Session> known, List<RequestKey> requests) {
    try (LooksUnderWay.Look begun = underWay.begin()) {
      List<Look> looks =
          Batches.of(requests, QUEUES_PER_READ).stream()
              .map(batch -> new Look(tools, begun, call, session, known, batch))
              .toList();
      Pipeline pipeline = call.pipeline();
      pipeline.sync(paths.locks());
      glance(pipeline, looks);
      // Each further time a request has left in between, or was downgraded.
      for (List<Look> open = open(looks); !open.isEmpty(); open = open(open)) {
        list(call.pipeline(), open);
        glance(call.pipeline(), open(open));
      }
      return looks.stream().flatMap(look -> look.answers().stream()).toList();
    }
  }

  private static List<Look> open(List<Look> looks) {
    return looks.stream().filter(Look::isOpen).toList();
  }

  private static void glance(Pipeline pipeline, List<Look> looks) {
    List<Look.Glances> glances = looks.stream().map(look -> look.glances(pipeline)).toList();
    pipeline.awaitAnswers();
    glances.forEach(Look.Glances::answered);
  }

  private static void list(Pipeline pipeline, List<Look> looks) {
    List<Look.Lists> lists = looks.stream().map(look -> look.lists(pipeline)).toList();
    pipeline.awaitAnswers();
    lists.forEach(Look.Lists::answered);
  }
}
