package io.holdfast.zookeeper.call;

import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;

/**
 * The answer of a transaction that was to create a node and to do more.
 *
 * @param path of the node; empty if it was not created, or if this is the result of another request
 * @param others the answers of the other writes
 */
public record CreatedWith(Optional<String> path, List<OpResult> others) {

  static CreatedWith of(List<OpResult> results, Op create, CreateMode mode, String chroot) {
    Optional<String> path =
        results.get(0) instanceof OpResult.CreateResult made
            ? named(made.getPath(), create.getPath(), mode, chroot)
            : Optional.empty();
    return new CreatedWith(path, results.subList(1, results.size()));
  }

  /** The client library may leave before the path what the servers put there. */
  private static Optional<String> named(String made, String asked, CreateMode mode, String chroot) {
    if (CreatedNode.isNamed(made, asked, mode)) {
      return Optional.of(made);
    }
    return Optional.of(made)
        .filter(path -> path.startsWith(chroot))
        .map(path -> path.substring(chroot.length()))
        .filter(path -> CreatedNode.isNamed(path, asked, mode));
  }

  /** Returns whether that one of the other writes is why nothing was done. */
  public boolean isFailed(int other) {
    return others.get(other) instanceof OpResult.ErrorResult error
        && error.getErr() != Code.OK.intValue()
        && error.getErr() != Code.RUNTIMEINCONSISTENCY.intValue();
  }
}
