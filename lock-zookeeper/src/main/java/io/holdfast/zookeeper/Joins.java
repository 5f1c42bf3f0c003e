package io.holdfast.zookeeper;

import io.holdfast.spi.BackendFailure;
import io.holdfast.spi.Request;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.data.Stat;

/** Makes a request's node, at the end of its queue. */
final class Joins {

  /** Empty queues are removed by the servers, at most once a minute: so two would do. */
  private static final int TRIES = 5;

  private static final byte[] NOTHING = {};

  private final Paths paths;
  private final Namespaces namespaces;
  private final String where;

  Joins(Paths paths, Namespaces namespaces, String where) {
    this.paths = paths;
    this.namespaces = namespaces;
    this.where = where;
  }

  /**
   * What a request for a place in a queue has found.
   *
   * @param places empty if they are too many to be read
   */
  record Joined(
      Created mine,
      Optional<Places> places,
      Optional<Namespace> namespace,
      Optional<Node> session) {}

  Joined join(Steps steps, Request request) {
    String queue = paths.queue(request.name());
    for (int tries = 1; tries <= TRIES; tries++) {
      Asking asking = new Asking(steps, queue, request);
      Optional<Answer<Created>> container =
          tries == 1 ? Optional.empty() : Optional.of(asking.makeLevel());
      Optional<Joined> joined = asking.join();
      if (joined.isPresent()) {
        return joined.get();
      }
      if (container.filter(answer -> answer.code() == Code.NONODE).isPresent()) {
        Namespaces.makeAbove(steps, queue);
      }
    }
    throw new BackendFailure(
        steps.effect(),
        "The queue of lock %s at %s was removed again and again.".formatted(request.name(), where),
        null);
  }

  /** Asks for a node in one level of a queue, or in the next if that has come to its end. */
  private final class Asking {

    private final Steps steps;
    private final Flight flight;
    private final String level;
    private final Request request;

    Asking(Steps steps, String level, Request request) {
      this.steps = steps;
      this.flight = steps.flight();
      this.level = level;
      this.request = request;
    }

    Answer<Created> makeLevel() {
      return flight.create(level, NOTHING, CreateMode.CONTAINER);
    }

    /** Empty if there is no such level. */
    Optional<Joined> join() {
      Answer<Created> mine = create();
      return landed(mine);
    }

    /** Makes the level, if a node shows that the one above has ended; that node then goes. */
    private Optional<Joined> joinBelow(String shows) {
      flight.writeAll(
          List.of(
              Op.check(shows, Flight.ANY_VERSION),
              Op.create(level, NOTHING, steps.rights(), CreateMode.CONTAINER)));
      Answer<Created> mine = create();
      flight.delete(shows, Flight.ANY_VERSION);
      return landed(mine);
    }

    private Answer<Created> create() {
      return flight.create(
          Place.wanted(level, request), Place.encode(request), CreateMode.EPHEMERAL_SEQUENTIAL);
    }

    private Optional<Joined> landed(Answer<Created> mine) {
      String queue = paths.queue(request.name());
      Answer<Stat> size = flight.stat(queue);
      Answer<Node> namespace = flight.node(paths.namespace());
      Answer<Node> session = flight.node(paths.session(request.id().session()));
      flight.land();
      Optional<String> pastEnd = pastEnd(mine);
      if (pastEnd.isPresent()) {
        return new Asking(steps, Places.next(level), request).joinBelow(pastEnd.get());
      }
      return mine.value()
          .map(
              made ->
                  new Joined(
                      made, places(made, size), namespaces.of(namespace.value()), session.value()));
    }

    /** Who is alone need not read the names; and nobody reads more than an answer can have. */
    private Optional<Places> places(Created made, Answer<Stat> size) {
      String queue = paths.queue(request.name());
      return level.equals(queue) && isAlone(made, size)
          ? Optional.of(new Places(Place.of(made.path()).stream().toList()))
          : Places.read(steps, queue, Places.nodes(size));
    }

    /**
     * The only node may be another one: a copy of this request that stands before it has removed
     * the one just made. Unless that was the last change.
     */
    private static boolean isAlone(Created made, Answer<Stat> size) {
      return Places.nodes(size) == 1
          && size.value().filter(queue -> queue.getPzxid() == made.stat().getCzxid()).isPresent();
    }

    private Optional<String> pastEnd(Answer<Created> mine) {
      if (mine.code() == Code.NODEEXISTS) {
        // This request had it before, and ZooKeeper itself counts no further.
        return Optional.of(Place.wanted(level, request) + Integer.MAX_VALUE);
      }
      return mine.value()
          .map(Created::path)
          .filter(path -> Place.of(path).orElseThrow().isPastEnd());
    }
  }
}
