package io.holdfast.zookeeper.call;

import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.data.Stat;

/** A node that was just created, with the path that ZooKeeper gave it. */
public record CreatedNode(String path, Stat stat) {

  private static final int SEQUENCE_DIGITS = 10;

  /** Returns whether ZooKeeper gives a node such a path that is asked for by another one. */
  static boolean isNamed(String path, String asked, CreateMode mode) {
    if (!mode.isSequential()) {
      return path.equals(asked);
    }
    int appended = path.length() - asked.length();
    // Of a count that has turned below zero there is a sign, too.
    return path.startsWith(asked)
        && (appended == SEQUENCE_DIGITS || appended == SEQUENCE_DIGITS + 1)
        && path.indexOf('/', asked.length()) < 0;
  }
}
