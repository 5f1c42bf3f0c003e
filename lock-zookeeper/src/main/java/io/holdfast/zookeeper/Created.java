package io.holdfast.zookeeper;

import org.apache.zookeeper.data.Stat;

/** A node that was just made. */
record Created(String path, Stat stat) {}
