package io.holdfast.zookeeper.queue;

import io.holdfast.record.RequestId;
import io.holdfast.spi.BackendFailure;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.OwnNodes;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.RequestNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.zookeeper.data.Stat;

/**
 * The requests' nodes of a queue, as they were listed.
 *
 * <p>ZooKeeper counts the nodes that were ever made below another, and its count comes to an end.
 * So a queue has levels. A node whose number is at {@link RequestNode#END} or past it stands in no
 * queue. A request that is given such a node creates a queue node below this one, where the count
 * begins at zero, and joins there. All of a level come before all of the next: a level is made only
 * while its maker's node shows that the count above has ended, and from then on keeps the node
 * above, and that count, from being removed. So a request in a level need only see once that the
 * levels above are empty: they stay empty. Servers remove the lowest level first, and only when it
 * is empty.
 */
public record QueueListing(List<RequestNode> all) {

  /**
   * How many names are read at once, each of up to 71 bytes. The client library breaks the
   * connection if an answer is longer than a megabyte.
   */
  static final int READABLE_MAX = 12_000;

  static final QueueListing NONE = new QueueListing(List.of());

  private static final String NEXT = "~next";

  public QueueListing {
    all = all.size() > 1 ? all.stream().sorted(RequestNode.ORDER).toList() : List.copyOf(all);
  }

  /** Returns whether there is no other node than this one. */
  boolean isOnly(RequestNode place) {
    return all.size() == 1 && all.get(0).equals(place);
  }

  /** Returns the path of the level below one. */
  public static String next(String level) {
    return level + "/" + NEXT;
  }

  /** Reads the levels below the first, if there are any; empty if one is too long. */
  static Optional<QueueListing> of(Call call, String queue, List<String> namesOfFirst) {
    List<RequestNode> all = new ArrayList<>();
    String level = queue;
    List<String> names = namesOfFirst;
    while (true) {
      all.addAll(RequestNode.among(level, names));
      if (!names.contains(NEXT)) {
        return Optional.of(new QueueListing(all));
      }
      level = next(level);
      Pipeline pipeline = call.pipeline();
      Answer<Stat> size = pipeline.stat(level);
      pipeline.awaitAnswers();
      if (nodes(size) > READABLE_MAX) {
        return Optional.empty();
      }
      names = names(call, level);
    }
  }

  private static List<String> names(Call call, String level) {
    Pipeline pipeline = call.pipeline();
    Answer<List<String>> names = pipeline.children(level);
    pipeline.awaitAnswers();
    return names.value().orElse(List.of());
  }

  /** Reads all levels, if none is too long; the first was asked how long it is. */
  static Optional<QueueListing> read(Call call, String queue, int nodesOfFirst) {
    if (nodesOfFirst == 0) {
      return Optional.of(NONE);
    }
    return nodesOfFirst > READABLE_MAX ? Optional.empty() : of(call, queue, names(call, queue));
  }

  /**
   * The failure for a queue that is too long to be read. No new request joins it, so it gets
   * shorter.
   */
  static BackendFailure tooMany(Call call, String queue) {
    return new BackendFailure(
        call.effect(),
        "The node %s has more than %s others below it, which are too many to be read."
            .formatted(queue, READABLE_MAX),
        null);
  }

  /**
   * Finds the nodes of a request among those of the calling session, where one with a lock-delay is
   * not.
   */
  static List<RequestNode> ofSession(Call call, String queue, RequestId request) {
    Pipeline pipeline = call.pipeline();
    OwnNodes own = pipeline.ownNodes(queue);
    pipeline.awaitAnswers();
    return own.paths().stream()
        .flatMap(path -> RequestNode.of(path).stream())
        .filter(place -> place.request().equals(request))
        .toList();
  }

  /**
   * Returns whether a request stands in a level or below it, by the number of its nodes alone. One
   * at the end of the count is on its way to the level below.
   */
  static boolean hasRequests(Call call, String queue, int nodesOfFirst) {
    String level = queue;
    int nodes = nodesOfFirst;
    while (nodes == 1) {
      level = next(level);
      Pipeline pipeline = call.pipeline();
      Answer<Stat> below = pipeline.stat(level);
      pipeline.awaitAnswers();
      if (!below.isOk()) {
        return true;
      }
      nodes = nodes(below);
    }
    return nodes > 0;
  }

  /** Returns how many nodes a level has that was asked for. */
  static int nodes(Answer<Stat> level) {
    return level.value().map(Stat::getNumChildren).orElse(0);
  }

  /**
   * Returns the queue in its order. A request that stands in it twice, since its create arrived
   * twice, counts where it stands first.
   */
  List<RequestNode> inOrder() {
    Set<RequestId> seen = new HashSet<>();
    return inQueue().filter(place -> seen.add(place.request())).toList();
  }

  private Stream<RequestNode> inQueue() {
    return all.stream().filter(place -> !place.isPastEnd());
  }

  /** Returns where a request stands. */
  Optional<RequestNode> first(RequestId request) {
    return inQueue().filter(place -> place.request().equals(request)).findFirst();
  }

  /** Returns all nodes of a request. */
  List<RequestNode> of(RequestId request) {
    return all.stream().filter(place -> place.request().equals(request)).toList();
  }
}
