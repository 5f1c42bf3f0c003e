package io.holdfast.zookeeper.queue;

import io.holdfast.Liveness;
import io.holdfast.LockName;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.Node;
import io.holdfast.zookeeper.call.Pipeline;
import io.holdfast.zookeeper.layout.Namespace;
import io.holdfast.zookeeper.layout.Namespaces;
import io.holdfast.zookeeper.layout.Paths;
import io.holdfast.zookeeper.layout.RequestNode;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.data.Stat;

/** Reads the head of a queue, and judges whether it still holds. */
public final class HeadReader {

  private final Paths paths;
  private final Namespaces namespaces;

  public HeadReader(Paths paths, Namespaces namespaces) {
    this.paths = paths;
    this.namespaces = namespaces;
  }

  /**
   * A queue as it was read.
   *
   * @param namespace empty if there is none
   * @param head empty if the queue is empty
   */
  public record View(
      Optional<Namespace> namespace,
      List<RequestNode> queue,
      Optional<Head> head,
      StoreClock clock) {}

  /** Reads a queue, and its head. */
  public View read(Call call, LockName name) {
    String path = paths.queue(name);
    StoreClock clock = new StoreClock();
    while (true) {
      Pipeline pipeline = call.pipeline();
      pipeline.sync(path);
      Answer<Stat> size = pipeline.stat(path);
      Answer<Node> namespace = pipeline.node(paths.namespace());
      pipeline.awaitAnswers();
      Optional<Namespace> present = namespaces.of(namespace.value());
      List<RequestNode> queue =
          QueueListing.read(call, path, QueueListing.nodes(size))
              .orElseThrow(() -> QueueListing.tooMany(call, path))
              .inOrder();
      if (queue.isEmpty() || present.isEmpty()) {
        return new View(present, List.of(), Optional.empty(), clock);
      }
      Optional<Head> head = read(call, queue.get(0));
      if (head.isPresent()) {
        return new View(present, queue, head, clock);
      }
    }
  }

  private Optional<Head> read(Call call, RequestNode place) {
    return Head.of(place, call.read(Head.reads(paths, place)));
  }

  /**
   * Returns the liveness of a head. Renews the mark of its revocation if the mark's age is unknown.
   */
  public Liveness judge(Call call, Head head, Namespace namespace, StoreClock clock) {
    Liveness liveness = head.liveness(namespace, clock);
    refreshMark(call, head, clock);
    return liveness;
  }

  /**
   * Renews a mark that another leader's clock made, or that lies in the future of the present
   * leader.
   */
  public void refreshMark(Call call, Head head, StoreClock clock) {
    head.session().ifPresent(present -> clock.see(present.stat()));
    if (head.isMarkDoubtful(clock)) {
      Pipeline pipeline = call.pipeline();
      pipeline.write(head.place().path(), head.node().data(), head.stat().getVersion());
      pipeline.awaitAnswers();
    }
  }
}
