package io.holdfast.zookeeper.layout;

import io.holdfast.error.BackendUnusableException;
import io.holdfast.zookeeper.call.Answer;
import io.holdfast.zookeeper.call.Call;
import io.holdfast.zookeeper.call.CreatedNode;
import io.holdfast.zookeeper.call.Pipeline;
import java.util.List;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;

/** The nodes above others, which are made when a node below them has no place. */
public final class NodesAbove {

  private static final byte[] NOTHING = {};

  private NodesAbove() {}

  /**
   * Makes those above a node that are missing. The lowest is tried first: who creates a node that
   * is there already is asked for the right to create it, and above the path there may be none.
   *
   * @throws BackendUnusableException if even the highest has no place
   */
  public static void make(Call call, String path) {
    List<String> above = Paths.above(path);
    int made = above.size() - 1;
    while (!hasPlace(call, above.get(made))) {
      if (made == 0) {
        // Below the root there is always a place.
        throw new BackendUnusableException(
            "The node %s cannot be created, since the chroot of the connection string does not exist. Create that first."
                .formatted(above.get(0)));
      }
      made--;
    }
    Pipeline pipeline = call.pipeline();
    above
        .subList(made + 1, above.size())
        .forEach(node -> pipeline.create(node, NOTHING, CreateMode.PERSISTENT));
    pipeline.awaitAnswers();
  }

  /** Makes a node, unless it is there. Returns false if it cannot, as there is none above it. */
  private static boolean hasPlace(Call call, String path) {
    Pipeline pipeline = call.pipeline();
    Answer<CreatedNode> made = pipeline.create(path, NOTHING, CreateMode.PERSISTENT);
    pipeline.awaitAnswers();
    return made.code() != Code.NONODE;
  }
}
