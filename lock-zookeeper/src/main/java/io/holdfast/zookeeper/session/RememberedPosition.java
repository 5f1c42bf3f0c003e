package io.holdfast.zookeeper.session;

import io.holdfast.RequestId;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.RequestCreation;
import io.holdfast.zookeeper.layout.RequestNode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.zookeeper.data.Stat;

/**
 * The remembered position of a request in its queue. No request can join ahead of it. So it holds
 * once all requests ahead have left, and then for as long as its node exists.
 *
 * @param ahead of those that were before it when its queue was last read, the head and the nearest:
 *     none if it holds, one if it was second
 * @param requestsAhead how many were before it then
 */
public record RememberedPosition(
    RequestCreation creation, List<RequestNode> ahead, int requestsAhead) {

  private static final int HEAD_AND_NEAREST = 2;

  /** Takes a queue as it was read, in which the request stands. */
  public static RememberedPosition in(List<RequestNode> queue, RequestCreation creation) {
    int ahead = queue.indexOf(creation.place());
    return new RememberedPosition(
        creation,
        Stream.of(0, ahead - 1)
            .filter(i -> i >= 0 && i < ahead)
            .distinct()
            .map(queue::get)
            .toList(),
        ahead);
  }

  /** The position of a request that holds. */
  public static RememberedPosition holding(RequestCreation creation) {
    return new RememberedPosition(creation, List.of(), 0);
  }

  /** Returns who was directly before it; empty if it holds. */
  public Optional<RequestNode> nearest() {
    return ahead.isEmpty() ? Optional.empty() : Optional.of(ahead.get(ahead.size() - 1));
  }

  /** Returns who held when the queue was last read. */
  public RequestNode head() {
    return ahead.isEmpty() ? creation.place() : ahead.get(0);
  }

  public RequestId request() {
    return creation.place().request();
  }

  /** Returns whether all requests ahead of it are remembered. */
  public boolean remembersAllAhead() {
    return ahead.size() < HEAD_AND_NEAREST;
  }

  /** Asks which of the remembered requests ahead are still there. */
  public Predecessors ask(Pipeline pipeline) {
    return new Predecessors(
        remembersAllAhead(), ahead.stream().map(place -> pipeline.stat(place.path())).toList());
  }

  /**
   * Which of the remembered requests ahead are still there. Read it only after {@link
   * Pipeline#awaitAnswers}.
   *
   * @param isAll whether there were no others
   */
  public record Predecessors(boolean isAll, List<Answer<Stat>> found) {

    /**
     * Returns whether a remembered request is still ahead. If not, there may be others ahead that
     * are not remembered.
     */
    public boolean anyLeft() {
      return !found.isEmpty() && found.stream().anyMatch(Answer::isOk);
    }

    /** Returns whether certainly no request is ahead. */
    public boolean noneLeft() {
      return isAll && !anyLeft();
    }
  }
}
