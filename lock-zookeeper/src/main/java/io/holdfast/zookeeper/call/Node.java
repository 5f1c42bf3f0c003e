package io.holdfast.zookeeper.call;

import io.holdfast.error.BackendUnusableException;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.data.Stat;

/** A node as it was read. */
@SuppressWarnings("ArrayRecordComponent") // As the library has it.
public record Node(byte[] data, Stat stat) {

  /** Returns what one read of many has found; empty if there is no such node. */
  public static Optional<Node> of(OpResult read) {
    return read instanceof OpResult.GetDataResult found
        ? Optional.of(new Node(found.getData(), found.getStat()))
        : absent(read);
  }

  /** Returns whether the node is there whose children one read of many has asked for. */
  public static boolean isThere(OpResult read) {
    return read instanceof OpResult.GetChildrenResult || absent(read).isPresent();
  }

  private static <T> Optional<T> absent(OpResult read) {
    if (read instanceof OpResult.ErrorResult error && error.getErr() != Code.NONODE.intValue()) {
      throw new BackendUnusableException(
          "A node cannot be read (%s): the user needs all rights on the path."
              .formatted(Code.get(error.getErr())));
    }
    return Optional.empty();
  }
}
