package io.holdfast.zookeeper.call;

import org.apache.zookeeper.data.Stat;

/** A node that was just created, with the path that ZooKeeper gave it. */
public record CreatedNode(String path, Stat stat) {}
