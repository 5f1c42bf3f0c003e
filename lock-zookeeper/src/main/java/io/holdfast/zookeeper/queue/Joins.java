package io.holdfast.zookeeper.queue;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Request;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.CreatedNode;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.Namespaces;
import io.holdfast.zookeeper.layout.NodesAbove;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestData;
import io.holdfast.zookeeper.layout.RequestNode;
import io.holdfast.zookeeper.session.StayList;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/** Creates a request's node at the end of its queue, and reads what decides whether it holds. */
public final class Joins {

  /** Empty queues are removed by the servers, at most once a minute: so two would do. */
  private static final int TRIES = 5;

  private static final byte[] NOTHING = {};

  private final Paths paths;
  private final Namespaces namespaces;
  private final StayList stays;
  private final String where;

  public Joins(Paths paths, Namespaces namespaces, StayList stays, String where) {
    this.paths = paths;
    this.namespaces = namespaces;
    this.stays = stays;
    this.where = where;
  }

  /**
   * The queue as a request found it when it joined.
   *
   * @param stat of the request's node
   * @param listing empty if they are too many to be read
   */
  record Joined(
      RequestNode place,
      Stat stat,
      Optional<QueueListing> listing,
      Optional<Namespace> namespace,
      Optional<Node> session) {}

  Joined join(Call call, Request request) {
    String queue = paths.queue(request.name());
    if (request.hasLockDelay()) {
      stays.add(call, request.key(), StayList.Kind.DELAY);
    }
    for (int tries = 1; tries <= TRIES; tries++) {
      JoinAttempt attempt = new JoinAttempt(call, queue, queue, request);
      Optional<Answer<CreatedNode>> container =
          tries == 1 ? Optional.empty() : Optional.of(attempt.makeLevel());
      Optional<Joined> joined = attempt.join();
      if (joined.isPresent()) {
        return joined.get();
      }
      if (container.filter(answer -> answer.code() == Code.NONODE).isPresent()) {
        NodesAbove.make(call, queue);
      }
    }
    throw new BackendFailure(
        call.effect(),
        "The queue of lock %s at %s was removed again and again.".formatted(request.name(), where),
        null);
  }

  /**
   * Creates a node in one level of a queue, or in the next level if the sequence numbers of this
   * one have ended.
   */
  private final class JoinAttempt {

    private final Call call;
    private final Pipeline pipeline;
    private final String queue;
    private final String level;
    private final Request request;

    JoinAttempt(Call call, String queue, String level, Request request) {
      this.call = call;
      this.pipeline = call.pipeline();
      this.queue = queue;
      this.level = level;
      this.request = request;
    }

    Answer<CreatedNode> makeLevel() {
      return pipeline.create(level, NOTHING, CreateMode.CONTAINER);
    }

    /** Empty if there is no such level. */
    Optional<Joined> join() {
      Answer<CreatedNode> mine = create();
      return landed(mine);
    }

    /** Makes the level, if a node shows that the one above has ended; that node then goes. */
    private Optional<Joined> joinBelow(String shows) {
      pipeline.writeAll(
          List.of(
              Op.check(shows, Pipeline.ANY_VERSION),
              Op.create(level, NOTHING, call.rights(), CreateMode.CONTAINER)));
      Answer<CreatedNode> mine = create();
      pipeline.delete(shows, Pipeline.ANY_VERSION);
      return landed(mine);
    }

    private Answer<CreatedNode> create() {
      return pipeline.create(
          RequestNode.wanted(level, request),
          RequestData.of(request).encode(),
          request.hasLockDelay()
              ? CreateMode.PERSISTENT_SEQUENTIAL
              : CreateMode.EPHEMERAL_SEQUENTIAL);
    }

    /**
     * Reads the queue's length, the settings and the session in one request, after the create: the
     * place is given back if they are others. A transaction with the create in it could check them,
     * but if it arrived twice it would create two nodes, and not tell; see {@link Retakes}.
     */
    private Optional<Joined> landed(Answer<CreatedNode> mine) {
      Answer<List<OpResult>> read =
          pipeline.readAll(
              List.of(
                  Op.getData(queue),
                  Op.getData(paths.namespace()),
                  Op.getData(paths.session(request.id().session()))));
      pipeline.awaitAnswers();
      if (mine.code() == Code.NODEEXISTS) {
        // This request had it before, and ZooKeeper itself counts no further.
        return below(RequestNode.wanted(level, request) + Integer.MAX_VALUE);
      }
      if (!mine.isOk()) {
        return Optional.empty();
      }
      CreatedNode made = mine.value().orElseThrow();
      RequestNode place = RequestNode.made(made.path(), request);
      if (place.isPastEnd()) {
        return below(made.path());
      }
      List<OpResult> nodes = read.value().orElseThrow();
      return Optional.of(
          new Joined(
              place,
              made.stat(),
              listing(place, made.stat(), Node.of(nodes.get(0)).map(Node::stat)),
              namespaces.of(Node.of(nodes.get(1))),
              Node.of(nodes.get(2))));
    }

    private Optional<Joined> below(String shows) {
      return new JoinAttempt(call, queue, QueueListing.next(level), request).joinBelow(shows);
    }

    /**
     * Reads the queue's names, unless the request is alone. Empty if they do not fit into one
     * answer.
     */
    private Optional<QueueListing> listing(RequestNode place, Stat mine, Optional<Stat> queueNode) {
      return level.equals(queue) && isAlone(mine, queueNode)
          ? Optional.of(new QueueListing(List.of(place)))
          : QueueListing.read(call, queue, queueNode.map(Stat::getNumChildren).orElse(0));
    }

    /**
     * The only node may be another one: a copy of this request that stands before it has removed
     * the one just made. Unless that was the last change.
     */
    private static boolean isAlone(Stat mine, Optional<Stat> queueNode) {
      return queueNode
          .filter(node -> node.getNumChildren() == 1 && node.getPzxid() == mine.getCzxid())
          .isPresent();
    }
  }
}
